# SPDX-License-Identifier: MIT OR Apache-2.0
"""The calibration: what was measured of code of known cost, beside that cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.analyse import calibration_points, calibration_summary, prepare
from cyclometer.store import connect, list_runs
from support.synthetic import process, run_info, sample, write_run

SYSTEM = process("salsa20", [sample("empty", 0, keys=0), sample("encrypt", 3000)])


def calibrated(tmp_path: Path, **measured: float) -> list[tuple[int, float]]:
    """Store a run in which chains of known cost were measured; return (true, error) of each."""
    rows = [sample("chain", cycles, int(name.removeprefix("c"))) for name, cycles in measured.items()]
    chains = process("chain", [sample("empty", 0, keys=0), *rows], operation="calibration", control=True)
    write_run(tmp_path, run_info(), [SYSTEM, chains])
    with connect(list_runs(tmp_path)) as connection:
        prepare(connection, [run_info()])
        return [(point.true, point.error) for point in calibration_points(connection)]


def test_the_error_is_what_was_measured_less_what_it_costs(tmp_path: Path) -> None:
    assert calibrated(tmp_path, c0=1, c10=10, c200=198) == [(0, 1), (10, 0), (200, -2)]


@pytest.mark.parametrize(
    ("measured", "worst", "fails"),
    [
        ({"c10": 12, "c1000": 1005}, 2, False),  # three cycles, or one per cent, are tolerated
        ({"c10": 12, "c1000": 1011}, 11, True),
        ({"c10": 14, "c1000": 1000}, 4, True),
    ],
)
def test_a_calibration_fails_beyond_three_cycles_and_one_per_cent(
    tmp_path: Path, measured: dict[str, float], worst: float, fails: bool
) -> None:
    calibrated(tmp_path, **measured)
    with connect(list_runs(tmp_path)) as connection:
        prepare(connection, [run_info()])
        summary = calibration_summary(calibration_points(connection))
    assert summary
    assert (summary.error, summary.fails) == (worst, fails)


def test_the_calibration_is_in_no_table(tmp_path: Path) -> None:
    calibrated(tmp_path, c10=10)
    with connect(list_runs(tmp_path)) as connection:
        assert connection.sql("SELECT DISTINCT primitive FROM points").fetchall() == [("salsa20",)]
