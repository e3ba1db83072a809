# SPDX-License-Identifier: MIT OR Apache-2.0
"""The next timed process is started while one is timed, and begins when that one has ended."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from cyclometer.execute.sandbox import Outcome
from cyclometer.measure import NoiseFloor, NotTimed, ProcessPipeline, Request
from cyclometer.measure import pipeline as module
from support.fakes import executable

CORE = 1
SLOW, FAST, OTHER = (
    Request(executable=executable(name), grid=(), seed=1, input_seed=1, patience_ms=0, seconds=1.0)
    for name in ("slow", "fast", "other")
)

Events = list[str]


class Process:
    """A process that has been started for a request, and fails; it writes down what happens to it."""

    def __init__(self, name: str, events: Events) -> None:
        self.name, self.events = name, events

    def begin(self, cpu: int | None = None) -> None:
        self.events.append(f"{self.name} begins" + (f" on core {cpu}" if cpu is not None else ""))

    def outcome(self, ended: Callable[[], None]) -> Outcome:
        self.events.append(f"{self.name} ends")
        ended()
        return Outcome(status=1, stdout=b"", stderr=b"", problem="exit status 1")

    def end(self) -> None:
        self.events.append(f"{self.name} is killed")


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> Iterator[Events]:
    """Return what happens to the processes, in order."""
    found: Events = []

    def started(request: Request, *, core: int | None, **_: object) -> Process:
        name = request.executable.subject.implementation
        found.append(f"{name} is started" + (f" on core {core}" if core is not None else " beside"))
        return Process(name, found)

    monkeypatch.setattr(module, "started", started)
    before = os.sched_getaffinity(0)
    yield found
    assert os.sched_getaffinity(0) == before, "this thread may be anywhere again"


@pytest.fixture
def pipeline() -> ProcessPipeline:
    return ProcessPipeline(CORE, NoiseFloor(), beside=os.sched_getaffinity(0))


def test_the_next_process_is_started_beside_one_and_begins_when_that_has_ended(
    pipeline: ProcessPipeline, events: Events
) -> None:
    pipeline.run(SLOW, FAST)
    pipeline.run(FAST)
    assert events == [
        "slow is started on core 1",
        "slow begins",
        "fast is started beside",
        "slow ends",
        "fast begins on core 1",
        "fast ends",
    ]


def test_if_another_one_follows_the_one_that_waits_is_killed(pipeline: ProcessPipeline, events: Events) -> None:
    pipeline.run(SLOW, FAST)
    pipeline.run(OTHER)
    assert events[4:7] == ["fast begins on core 1", "fast is killed", "other is started on core 1"]


def test_nothing_runs_when_a_measurement_is_left(pipeline: ProcessPipeline, events: Events) -> None:
    pipeline.run(SLOW, FAST)
    pipeline.drop()
    assert events[-1] == "fast is killed"


def test_a_process_that_may_need_the_key_pair_of_the_one_before_is_started_after_it(
    pipeline: ProcessPipeline, events: Events
) -> None:
    pipeline.run(SLOW, SLOW)
    pipeline.run(SLOW)
    assert events == 2 * ["slow is started on core 1", "slow begins", "slow ends"]


def test_where_no_process_may_be_moved_each_is_started_on_the_measuring_core(
    pipeline: ProcessPipeline, events: Events, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begin(process: Process, cpu: int | None = None) -> None:
        if cpu is not None:
            raise PermissionError
        process.events.append(f"{process.name} begins")

    monkeypatch.setattr(Process, "begin", begin)
    pipeline.run(SLOW, FAST)
    pipeline.run(FAST, OTHER)
    assert events[4:] == ["fast is killed", "fast is started on core 1", "fast begins", "fast ends"]


@pytest.mark.parametrize(("core", "beside"), [(None, (0,)), (CORE, ())])
def test_without_another_core_processes_are_started_one_after_the_other(
    core: int | None, beside: tuple[int, ...], events: Events
) -> None:
    pipeline = ProcessPipeline(core, NoiseFloor(), beside=beside)
    assert isinstance(pipeline.run(SLOW, FAST), NotTimed)
    assert len(events) == 3
