# SPDX-License-Identifier: MIT OR Apache-2.0
"""A host that takes the core away every 50,000 cycles, for 600: chains of known cost show it, and long calls suffer."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.analyse import Cell, cells, prepare, summarise
from cyclometer.records.columns import Columns
from cyclometer.store import connect, list_runs
from support.synthetic import OVERHEAD, TIMINGS, process, run_info, sample, write_run

TAKES = 600


def interrupted(cycles: int, times: int) -> list[int]:
    """Make a series of which the host hits so many timings."""
    return [cycles + OVERHEAD + TAKES * (number >= TIMINGS - times) for number in range(TIMINGS)]


def chains(times: int, rounds: int = 3) -> list[Columns]:
    """Make the calibration of a run: chains of 10,000 cycles, of which the host hits so many in each series."""
    rows = [sample("empty", 0, keys=0), sample("chain", 0, 10_000, series=interrupted(10_000, times))]
    return [process("chain", rows, operation="calibration", control=True, round=number) for number in range(rounds)]


def measured(folder: Path, cycles: int, times: int, calibration: list[Columns]) -> Cell:
    """Return the cell of a function of which the host hits so many timings of a series."""
    rows = [sample("empty", 0, keys=0), sample("encrypt", 0, series=interrupted(cycles, times))]
    own = [process("salsa20", rows, round=number) for number in range(3)]
    write_run(folder, run_info(), [*own, *calibration])
    with connect(list_runs(folder)) as connection:
        prepare(connection, [run_info()])
        (cell,) = cells(summarise(connection, "operation = 'crypto_aead'"))
    return cell


def test_where_half_of_the_calls_are_interrupted_the_others_count(tmp_path: Path) -> None:
    """The host hits 3 of 15 chains of 10,000 cycles, and so every other call of 25,000."""
    cell = measured(tmp_path, 25_000, 8, chains(3))
    assert (cell.cycles, cell.disturbed) == (pytest.approx(25_000), False)


def test_what_is_always_interrupted_is_marked(tmp_path: Path) -> None:
    assert measured(tmp_path, 50_000, TIMINGS, chains(3)).disturbed


def test_short_calls_keep_their_middle(tmp_path: Path) -> None:
    """They are hit too rarely for that to matter, and other differences between them are their own."""
    cell = measured(tmp_path, 1000, 0, chains(3))
    assert (cell.cycles, cell.disturbed) == (pytest.approx(1000), False)


@pytest.mark.parametrize("times", [0, 1], ids="{} of 45 chains is interrupted".format)
def test_a_quiet_host_changes_nothing(times: int, tmp_path: Path) -> None:
    calibration = [*chains(times, rounds=1), *chains(0, rounds=3)[1:]]
    cell = measured(tmp_path / "short", 25_000, 8, calibration)
    assert cell.cycles > 25_000, "the function takes one of two times by itself"
    assert not measured(tmp_path / "long", 500_000, TIMINGS, calibration).disturbed
