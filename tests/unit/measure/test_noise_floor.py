# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a campaign learns of quiet moments, and which executables it measures once more."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from cyclometer.measure import Job, NoiseFloor, QuietCoverage, next_round
from cyclometer.records.run import SAMPLES, Batch
from support.fakes import executable
from support.synthetic import CHAIN_CYCLES, OVERHEAD, QUIET_LOAD, sample

LEVEL = QUIET_LOAD / (CHAIN_CYCLES + OVERHEAD)
LOADED = {"load_after": QUIET_LOAD * 3 // 2}


def table(*rows: dict[str, Any]) -> pa.Table:
    known = pa.schema([field for field in SAMPLES if field.name in rows[0]])
    return pa.Table.from_pylist(list(rows), schema=known)


def test_the_level_is_that_of_the_few_quiet_moments() -> None:
    quiet = NoiseFloor()
    quiet.add(table(*[sample("encrypt", 1)] * 10, *[sample("encrypt", 1, **LOADED)] * 10))
    assert quiet.value == 0, "too little is known"
    loaded = sample("encrypt", 1, load_before=QUIET_LOAD * 2, load_after=QUIET_LOAD * 2)
    quiet.add(table(*[sample("encrypt", 1)] * 20, *[loaded] * 180))
    assert quiet.value == pytest.approx(LEVEL)


def test_interrupted_moments_teach_nothing() -> None:
    quiet = NoiseFloor()
    quiet.add(table(*[sample("encrypt", 1)] * 200, *[sample("encrypt", 1, chain_before=CHAIN_CYCLES * 9)] * 100))
    assert quiet.value == pytest.approx(LEVEL)


def found(*tables: pa.Table, name: str = "i00", quietness: QuietCoverage | None = None) -> QuietCoverage:
    """After one round a table."""
    quietness = quietness or QuietCoverage()
    one = executable(name)
    for number, each in enumerate(tables):
        turn = Job(executable=one, round=number, control=False, seed=number)
        batch = Batch(subject=one.subject, control=False, round=number, chain_cycles=CHAIN_CYCLES, table=each)
        quietness.add(turn, batch, LEVEL)
    return quietness


def test_what_was_quiet_in_half_of_its_rounds_needs_no_more() -> None:
    calm, loaded = table(sample("encrypt", 1)), table(sample("encrypt", 1, **LOADED))
    assert found(calm, loaded).short_of_quiet_rounds() == []
    (turn,) = found(calm, loaded, loaded).short_of_quiet_rounds()
    assert (turn.round, next_round(turn).round) == (2, 3)
    assert next_round(turn).seed != turn.seed


def test_one_thing_that_lacks_quiet_is_enough_and_who_lacks_most_comes_first() -> None:
    empty = sample("empty", 0, **LOADED)
    both = table(sample("encrypt", 1, **LOADED), sample("decrypt", 1, **LOADED), empty)
    one = table(sample("encrypt", 1), sample("decrypt", 1, context_switches=1), empty)
    quietness = found(both, name="i01", quietness=found(one, name="i00"))
    assert [turn.executable.subject.implementation for turn in quietness.short_of_quiet_rounds()] == ["i01", "i00"]
    assert found(table(sample("encrypt", 1), empty)).short_of_quiet_rounds() == []
