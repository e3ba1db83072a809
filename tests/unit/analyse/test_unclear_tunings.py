# SPDX-License-Identifier: MIT OR Apache-2.0
"""Numbers of a tuning that disturbed timings chose are marked: another one may be faster."""

from __future__ import annotations

from pathlib import Path

from cyclometer.analyse import Cell, cells, prepare, summarise
from cyclometer.records.tuning import NOISE, Trial
from cyclometer.store import connect, select_runs
from support.synthetic import process, run_info, subject, write_run


def choice(primitive: str, decided_by: str) -> list[Trial]:
    """Make the trials of a selection between two compilers, which `decided_by` decided."""
    return [
        Trial(subject=subject(primitive), cycles=1000, timings=9, chosen=True, place=1),
        Trial(
            subject=subject(primitive, compiler="clang-O3"),
            cycles=1010,
            timings=9,
            chosen=False,
            place=2,
            decided_by=decided_by,
        ),
    ]


def store(results: Path, run: str, **decided_by: str) -> None:
    """Store a run of systems that take the same 1000 cycles in three rounds, and what decided on their tunings."""
    rounds = [
        process(primitive, cycles={("encrypt", 576): 1000}, round=number, info=run_info(run=run))
        for primitive in decided_by
        for number in range(3)
    ]
    write_run(
        results,
        run_info(run=run),
        rounds,
        trials=[trial for primitive, decided in decided_by.items() for trial in choice(primitive, decided)],
    )


def measured(results: Path) -> dict[str, Cell]:
    """Return the cells of all stored runs together, by system."""
    stored = select_runs(results, everything=True)
    with connect(stored) as connection:
        prepare(connection, [entry.info for entry in stored if entry.info])
        return {cell.subject.primitive: cell for cell in cells(summarise(connection))}


def test_numbers_of_a_tuning_that_disturbed_timings_chose_are_marked(tmp_path: Path) -> None:
    store(tmp_path, "loud", gcm=NOISE, salsa20="quick grid")
    found = measured(tmp_path)
    assert found["gcm"].varies
    assert not found["gcm"].disturbed, "the number itself was measured undisturbed"
    assert not found["salsa20"].varies


def test_a_quiet_run_that_chooses_the_same_makes_it_clear(tmp_path: Path) -> None:
    store(tmp_path, "loud", gcm=NOISE)
    store(tmp_path, "quiet", gcm="fixed order")
    assert not measured(tmp_path)["gcm"].varies
