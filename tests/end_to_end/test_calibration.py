# SPDX-License-Identifier: MIT OR Apache-2.0
"""Code of known cost through the whole path, with a timer that advances in steps.

The bounds are wide, because the machine may be busy: what they exclude is the step itself, five times as long as
the shortest chain that is judged. `make trust` measures the errors.
"""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Any

import pytest

from support.coarse_counter import coarse_counter
from support.command_line import CommandLine
from support.small_tree import SmallTree

COUNTERS = {"rdtsc", "clock_gettime"}  # that work on every machine of these tests
LENGTHS = "200,201,500,1000,2000,100000"  # in place of more true costs, up to 20
STEP = 1000  # ticks of the time-stamp counter
HALVED = 60  # a step that two reads can halve
JUDGED = (200, 500, 1000, 2000)  # the true costs that are judged, in cycles
WITHIN = 150  # cycles that a number may be off on a busy machine
TRIES = 5  # a busy moment is waited out; the step would be seen in every try

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the coarse timer rounds the x86 counter")


@pytest.fixture(scope="module")
def calibrations(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> dict[str, dict[int, float]]:
    """Calibrate every counter of a tree with two and a coarse one: counter -> true cost -> what was measured."""
    folder = tmp_path_factory.mktemp("coarse")
    tree = SmallTree.grow(folder / "tree", "crypto_aead/aegis-128l/ref")
    for header in (tree / "harness/counters").glob("*.h"):
        if header.stem not in COUNTERS:
            header.unlink()
    tree.write("harness/counters/coarse.h", coarse_counter("coarse", STEP))
    tree.change("harness/calibration/operation.toml", "100,195-205,500,995-1005,2000,5000,10000,100000", LENGTHS)
    cyclometer = CommandLine(tree=tree.root, cache=build_cache, results=folder / "results")
    for _ in range(TRIES):
        found = _calibrated(cyclometer)
        if all(abs(point["error"]) <= WITHIN for point in found["coarse"] if point["true"] in JUDGED):
            break
    return {counter: {p["true"]: p["measured"] for p in points} for counter, points in found.items()}


def _calibrated(cyclometer: CommandLine) -> dict[str, list[dict[str, Any]]]:
    """Calibrate once; return the chains of each counter."""
    result = cyclometer("machine", "--calibrate", "--format", "json")
    assert result.status == 0, result.stderr
    return {
        each["counter"]: [point for point in each["points"] if point["measure"] == "chain"]
        for each in json.loads(result.stdout)["calibrations"]
    }


def test_a_coarse_timer_is_read_half_a_step_later_again_by_the_gap_that_was_found_first(
    tmp_path: Path, build_cache: Path
) -> None:
    """Else each command would find another one, a cycle off, and build everything anew."""
    tree = SmallTree.grow(tmp_path / "tree", "crypto_aead/aegis-128l/ref")
    for header in (tree / "harness/counters").glob("*.h"):
        if header.stem not in COUNTERS:
            header.unlink()
    tree.write("harness/counters/coarse.h", coarse_counter("coarse", HALVED))
    cyclometer = CommandLine(tree=tree.root, cache=build_cache, results=tmp_path / "results")
    outputs = [cyclometer("machine", "--format", "json").stdout for _ in range(3)]
    gaps = [{each["name"]: each["read_gap"] for each in json.loads(output)["counters"]} for output in outputs]
    assert len({each["coarse"] for each in gaps}) == 1
    assert 0 < gaps[0]["coarse"] < 200
    assert gaps[0]["clock_gettime"] == 0


def test_a_calibration_that_does_not_build_says_why(tmp_path: Path, build_cache: Path) -> None:
    tree = SmallTree.grow(tmp_path / "tree", "crypto_aead/aegis-128l/ref")
    tree.write("harness/calibration/calls.c", "#error broken")
    result = CommandLine(tree=tree.root, cache=build_cache, results=tmp_path / "results")("machine", "--calibrate")
    assert result.status == 2
    assert "harness/calibration: calls.c does not compile" in result.stderr
    assert "Traceback" not in result.stderr


def test_every_working_counter_is_calibrated(calibrations: dict[str, dict[int, float]]) -> None:
    assert set(calibrations) == {"coarse", *COUNTERS}
    assert {0, 1, 200, 201, 1000, 100000} <= set(calibrations["coarse"])


@pytest.mark.parametrize("true", JUDGED)
def test_a_timer_that_advances_in_steps_reads_between_them(
    calibrations: dict[str, dict[int, float]], true: int
) -> None:
    assert calibrations["coarse"][true] == pytest.approx(true, abs=WITHIN)
