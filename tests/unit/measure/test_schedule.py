# SPDX-License-Identifier: MIT OR Apache-2.0
"""The schedule: every executable in each round, each round in its own order, the same when a run is resumed."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace

import pytest

from cyclometer.measure import NoiseFloor, Plan, ProcessPipeline, Request, Runner, plan_jobs
from cyclometer.measure.process import Measured, NotTimed
from cyclometer.measure.repeat import Repeater
from cyclometer.measure.runner import LEAST_TIMINGS
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.run import SERIES_TIMINGS
from support.fakes import executable

EXECUTABLES = [executable(f"i{index:02}") for index in range(10)]
PLAN = Plan(seed=1, rounds=20, patience_ms=0, grids={})


def test_every_executable_has_one_job_per_round_and_the_control_one_more() -> None:
    order = plan_jobs(EXECUTABLES, [EXECUTABLES[3]], PLAN)
    counts = Counter((job.round, job.executable.subject, job.control) for job in order)
    assert set(counts.values()) == {1}
    for number in range(PLAN.rounds):
        assert len([1 for round_, _, control in counts if round_ == number and not control]) == len(EXECUTABLES)
        assert [s for round_, s, control in counts if round_ == number and control] == [EXECUTABLES[3].subject]


def test_rounds_follow_each_other() -> None:
    numbers = [job.round for job in plan_jobs(EXECUTABLES, [], PLAN)]
    assert numbers == sorted(numbers)
    assert len(numbers) == PLAN.rounds * len(EXECUTABLES)


def test_each_round_has_an_order_of_its_own_so_that_every_executable_comes_first_sometimes() -> None:
    order = plan_jobs(EXECUTABLES, [], replace(PLAN, rounds=200))
    rounds = [tuple(order[i : i + len(EXECUTABLES)]) for i in range(0, len(order), len(EXECUTABLES))]
    orders = {tuple(job.executable.subject.implementation for job in each) for each in rounds}
    assert len(orders) == 200
    firsts = Counter(each[0].executable.subject.implementation for each in rounds)
    assert set(firsts) == {candidate.subject.implementation for candidate in EXECUTABLES}


def test_the_control_is_next_to_its_twin_no_more_often_than_by_chance() -> None:
    order = plan_jobs(EXECUTABLES, [EXECUTABLES[0]], replace(PLAN, rounds=200))
    indices = [index for index, job in enumerate(order) if job.executable == EXECUTABLES[0]]
    apart = sum(second - first > 1 for first, second in zip(indices[::2], indices[1::2], strict=True))
    assert apart > 120, "a pair of eleven is adjacent in 2 of 11 rounds"


def test_the_same_seed_gives_the_same_order_and_names_and_another_seed_another() -> None:
    assert plan_jobs(EXECUTABLES, [EXECUTABLES[0]], PLAN) == plan_jobs(EXECUTABLES, [EXECUTABLES[0]], PLAN)
    other = plan_jobs(EXECUTABLES, [EXECUTABLES[0]], replace(PLAN, seed=2))
    assert [job.name for job in other] != [job.name for job in plan_jobs(EXECUTABLES, [EXECUTABLES[0]], PLAN)]


def test_names_of_stored_parts_are_unique_even_for_names_that_share_letters() -> None:
    tricky = [
        executable("avx2", primitive="salsa20-12"),
        executable("12-avx2", primitive="salsa20"),
        executable("ref", compiler="gcc-O2"),
        executable("ref-gcc", compiler="O2"),
    ]
    names = [job.name for job in plan_jobs(tricky, [tricky[0]], PLAN)]
    assert len(set(names)) == len(names)


def test_every_process_has_a_seed_of_its_own() -> None:
    seeds = [job.seed for job in plan_jobs(EXECUTABLES, [EXECUTABLES[0]], PLAN)]
    assert len(set(seeds)) == len(seeds)


def test_an_executable_over_its_budget_leaves_the_rest_to_the_others() -> None:
    plan = replace(PLAN, rounds=1, share=1e-9, grids={"crypto_stream": ("xor length=0",)})
    first, second = plan_jobs(EXECUTABLES[:2], [], plan)
    measuring = Runner(plan, ProcessPipeline(None, NoiseFloor()))
    assert not measuring.over_budget(first)
    measuring.run(first)
    assert measuring.over_budget(first)
    assert not measuring.over_budget(second)


def test_a_slow_executable_has_fewer_timings_but_all_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def slow_process(_pipeline: ProcessPipeline, request: Request, _following: Request | None) -> Measured:
        asked.append(request.timings)
        time.sleep(0.05)
        repeater = Repeater(arguments=(), core=None, seconds=1)
        return Measured(executable=request.executable, samples={}, chain_cycles=1, repeater=repeater)

    monkeypatch.setattr(ProcessPipeline, "run", slow_process)
    plan = replace(PLAN, rounds=3, share=0.06, most=3600.0, grids={"crypto_stream": ("xor length=0",)})
    measuring = Runner(plan, ProcessPipeline(None, NoiseFloor()))
    for job in plan_jobs(EXECUTABLES[:1], [], plan):
        assert not measuring.over_budget(job)
        measuring.run(job)
    assert asked[0] == SERIES_TIMINGS
    assert LEAST_TIMINGS <= asked[2] <= asked[1] < SERIES_TIMINGS


def test_measures_beside_one_that_hangs_share_a_quarter_of_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is that of a job: what remains of it after a measure that never ends is nothing."""
    now, given = [0.0], []

    def process(_pipeline: ProcessPipeline, request: Request, _following: Request | None) -> NotTimed:
        given.append((request.grid, request.seconds))
        now[0] += request.seconds
        return NotTimed(failure=late(request.executable), measure=request.grid[0])

    monkeypatch.setattr(ProcessPipeline, "run", process)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    plan = replace(PLAN, seconds=60.0, grids={"crypto_stream": ("a", "b", "c")})
    _, failures = Runner(plan, ProcessPipeline(None, NoiseFloor())).run(plan_jobs(EXECUTABLES[:1], [], plan)[0])
    assert given == [(("a", "b", "c"), 60), (("b", "c"), 15), (("c",), 1)]
    assert [failure.kind for failure in failures] == 3 * [FailureKind.TIME_LIMIT]


def late(executable: Executable) -> Failure:
    return Failure(stage="measure", subject=executable.subject, kind=FailureKind.TIME_LIMIT, reason="still running")
