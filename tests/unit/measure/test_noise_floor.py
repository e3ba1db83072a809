# SPDX-License-Identifier: MIT OR Apache-2.0
"""The noise floor of a campaign, and the executables that need extra rounds."""

from __future__ import annotations

from typing import Any

import pytest

from cyclometer.measure import Job, NoiseFloor, QuietCoverage, next_round, undisturbed
from cyclometer.records.columns import Columns, columns_of
from cyclometer.records.run import SAMPLES, Batch
from support.fakes import executable
from support.synthetic import CHAIN_CYCLES, OVERHEAD, QUIET_LOAD, sample

LEVEL = QUIET_LOAD / (CHAIN_CYCLES + OVERHEAD)
LOADED = {"load_after": QUIET_LOAD * 3 // 2}


def table(*rows: dict[str, Any]) -> Columns:
    return columns_of(rows, {name: kind for name, kind in SAMPLES.items() if name in rows[0]})


def test_the_noise_floor_is_that_of_the_few_quiet_probes() -> None:
    noise_floor = NoiseFloor()
    noise_floor.add(table(*[sample("empty", 1)] * 10, *[sample("empty", 1, **LOADED)] * 10))
    assert noise_floor.value == 0, "too few probes"
    loaded = sample("empty", 1, load_before=QUIET_LOAD * 2, load_after=QUIET_LOAD * 2)
    noise_floor.add(table(*[sample("empty", 1)] * 20, *[loaded] * 180))
    assert noise_floor.value == pytest.approx(LEVEL, abs=1e-4)


def test_interrupted_probes_do_not_count() -> None:
    noise_floor = NoiseFloor()
    noise_floor.add(table(*[sample("empty", 1)] * 200, *[sample("empty", 1, chain_before=CHAIN_CYCLES * 9)] * 100))
    assert noise_floor.value == pytest.approx(LEVEL, abs=1e-4)


def test_the_probes_of_samples_that_are_not_believed_are_forgotten() -> None:
    noise_floor = NoiseFloor()
    untrue = table(*[sample("empty", 1, load_before=QUIET_LOAD // 2, load_after=QUIET_LOAD // 2)] * 200)
    noise_floor.add(untrue)
    noise_floor.add(table(*[sample("empty", 1)] * 200))
    noise_floor.forget(untrue)
    assert noise_floor.value == pytest.approx(LEVEL, abs=1e-4)


def test_a_chain_that_is_slow_behind_the_function_is_no_noise_floor() -> None:
    """While AVX-512 units wake up, the chain takes 1.6 times as long, on both sides of a sample, and the load as ever.

    The sample, converted by that chain, would take 0.6 times its cycles.
    """
    slow_chain = {"chain_before": 1640, "chain_after": 1630}
    rows = [*[sample("empty", 1)] * 200, *[sample("encrypt", 1, **slow_chain)] * 100]
    noise_floor = NoiseFloor()
    noise_floor.add(table(*rows))
    assert noise_floor.value == pytest.approx(LEVEL, abs=1e-4)
    assert undisturbed(table(*rows), noise_floor.value).tolist() == [True] * 200 + [False] * 100


def rounds_of(*tables: Columns, name: str = "i00", coverage: QuietCoverage | None = None) -> QuietCoverage:
    """Record one round per table."""
    coverage = coverage or QuietCoverage()
    one = executable(name)
    for number, each in enumerate(tables):
        job = Job(executable=one, round=number, control=False, seed=number)
        batch = Batch(subject=one.subject, control=False, round=number, chain_cycles=CHAIN_CYCLES, table=each)
        coverage.add(job, batch, LEVEL)
    return coverage


def test_a_cell_quiet_in_half_of_its_rounds_needs_no_extra_rounds() -> None:
    undisturbed, loaded = table(sample("encrypt", 1)), table(sample("encrypt", 1, **LOADED))
    assert rounds_of(undisturbed, loaded).short_of_quiet_rounds() == []
    (job,) = rounds_of(undisturbed, loaded, loaded).short_of_quiet_rounds()
    assert (job.round, next_round(job).round) == (2, 3)
    assert next_round(job).seed != job.seed


def test_one_cell_short_of_quiet_rounds_is_enough_and_the_worst_comes_first() -> None:
    empty = sample("empty", 0, **LOADED)
    both = table(sample("encrypt", 1, **LOADED), sample("decrypt", 1, **LOADED), empty)
    one = table(sample("encrypt", 1), sample("decrypt", 1, context_switches=1), empty)
    coverage = rounds_of(both, name="i01", coverage=rounds_of(one, name="i00"))
    assert [job.executable.subject.implementation for job in coverage.short_of_quiet_rounds()] == ["i01", "i00"]
    assert rounds_of(table(sample("encrypt", 1), empty)).short_of_quiet_rounds() == []
