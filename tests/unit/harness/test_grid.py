# SPDX-License-Identifier: MIT OR Apache-2.0
"""Grid lines of the timed executable: a measure and all combinations of its variables."""

from __future__ import annotations

from collections import Counter

import pytest

from cyclometer.execute import sandbox
from cyclometer.records.executable import Executable
from support.only_implementation import build_only
from support.small_tree import SmallTree

TIMINGS = 3
NO_PATIENCE = "-1000000"  # milliseconds in debt: nothing is taken twice, however disturbed it was
QUIET = (
    "0.000001"  # a noise floor that no probe meets: no sample is recorded before the others, all in the order measured
)


@pytest.fixture(scope="module")
def salsa20(tmp_path_factory: pytest.TempPathFactory) -> Executable:
    tree = SmallTree.grow(tmp_path_factory.mktemp("grid") / "tree", "crypto_stream/salsa20/ref")
    return build_only(tree)[0]


def ask(executable: Executable, *arguments: str) -> sandbox.Outcome:
    return sandbox.run([str(executable.path), *arguments], visible=[executable.path.parent])


def taken(executable: Executable, *grid: str, seed: int = 1) -> list[list[str]]:
    """Return the fields of the samples of a grid, without those of the empty call."""
    outcome = ask(executable, "measure", str(seed), str(TIMINGS), NO_PATIENCE, QUIET, "0", *grid)
    assert outcome.problem == "", outcome.stdout
    records = [line.split("\t") for line in outcome.stdout.decode().splitlines()]
    return [record[1:] for record in records if record[0] == "sample" and record[1] != "empty"]


SERIES = -6  # the field, before repetition, number, first, inputs and digests


def variables(samples: list[list[str]]) -> Counter[tuple[str, int, int, int, int]]:
    return Counter((s[0], int(s[1]), int(s[2]), int(s[3]), int(s[4])) for s in samples)


@pytest.mark.parametrize(
    ("line", "lengths"),
    [
        ("xor", [0]),
        ("xor length=576", [576]),
        ("xor length=0,40,402", [0, 40, 402]),
        ("xor length=5-8", [5, 6, 7, 8]),
        ("xor length=0-100/25", [0, 25, 50, 75, 100]),
        ("xor length=0-99/25", [0, 25, 50, 75]),
        ("xor length=1,10-12,100-300/100,8192", [1, 10, 11, 12, 100, 200, 300, 8192]),
        ("xor length=7,7", [7, 7]),
        ("xor  length=8 ", [8]),
        ("xor length=1,2 repetition=1-3", [1, 1, 1, 2, 2, 2]),
    ],
)
def test_values_lists_and_ranges(line: str, lengths: list[int], salsa20: Executable) -> None:
    assert variables(taken(salsa20, line)) == Counter(("xor", length, 0, 1, 0) for length in lengths)


def test_every_combination_is_one_sample(salsa20: Executable) -> None:
    samples = taken(salsa20, "xor length=1,2 alignment=0,3,5", "first")
    assert variables(samples) == Counter(
        [*(("xor", length, 0, 1, alignment) for length in (1, 2) for alignment in (0, 3, 5)), ("first", 0, 0, 1, 0)]
    )


def test_each_sample_has_the_requested_number_of_timings(salsa20: Executable) -> None:
    assert {len(sample[SERIES].split(",")) for sample in taken(salsa20, "xor length=0-20")} == {TIMINGS}


def test_the_order_is_drawn_from_the_seed(salsa20: Executable) -> None:
    def order(seed: int) -> list[str]:
        return [sample[1] for sample in taken(salsa20, "xor length=0-63", seed=seed)]

    assert order(1) == order(1)
    assert order(1) != order(2)
    assert sorted(order(1)) == sorted(order(2))


@pytest.mark.parametrize(
    "line",
    [
        "xor length=",
        "xor length=x",
        "xor length=1,",
        "xor length=5-2",
        "xor length=1-9/0",
        "xor length=1x",
        "xor length=1-2-3",
        "xor size=3",
        "xor length",
        "xor length=0-100000000",
    ],
)
def test_a_malformed_grid_line_is_refused(line: str, salsa20: Executable) -> None:
    outcome = ask(salsa20, "measure", "1", "3", "0", "0", "0", line)
    assert outcome.status == 3
    assert outcome.stdout.decode() == f"verdict\tfailed\tHARNESS_ERROR\tgrid {line}\tmalformed grid line\n"


def test_an_unknown_measure_is_refused(salsa20: Executable) -> None:
    outcome = ask(salsa20, "measure", "1", "3", "0", "0", "0", "juggle length=1")
    assert "\tHARNESS_ERROR\tmeasure juggle length 1 keys 1\t" in outcome.stdout.decode()


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("dance",),
        ("measure",),
        ("measure", "1", "0", "0", "0", "0", "xor"),
        ("measure", "1", "3", "0", "0", "0"),
        ("check",),
    ],
)
def test_a_wrong_call_prints_the_usage(arguments: tuple[str, ...], salsa20: Executable) -> None:
    outcome = ask(salsa20, *arguments)
    assert outcome.status == 2
    assert outcome.stderr.startswith(b"usage: info | check SEED [lenient] [budget SHARE] [outputs FIRST] | ")
    assert outcome.stderr.endswith(
        b" | measure|repeat SEED TIMINGS PATIENCE_MS NOISE_FLOOR DITHER [pair PK SK] GRID...\n"
    )
