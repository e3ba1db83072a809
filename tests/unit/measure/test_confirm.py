# SPDX-License-Identifier: MIT OR Apache-2.0
"""Other processes confirm what a process reports; what they take is known by construction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from cyclometer.measure import Measured, own_clock
from cyclometer.measure.confirm import Confirmer
from cyclometer.measure.process import RECORD
from cyclometer.measure.repeat import Repeated, Repeater, Repetition, Row, Ticks
from cyclometer.records.columns import columns_of
from cyclometer.records.executable import Executable
from cyclometer.records.failure import FailureKind
from cyclometer.records.grid import Point
from support.fakes import executable

PER_SECOND, CALL = 1e9, 10e-6
DIGEST = "0a0b0c0d"


class Process(Repetition):
    """Calls take `cost` seconds."""

    def __init__(self, cost: float) -> None:
        self.cost = cost

    def ask(self, requests: Sequence[str]) -> list[Repeated]:
        return self.timed(requests)[0]

    def makes_inputs(self, row: Row) -> bool:
        return False

    def made(self, requests: Sequence[str]) -> list[str]:
        return ["" for _ in requests]

    def cpu_seconds(self) -> float:
        return 0.0

    def used_seconds(self) -> float:
        return 0.0

    def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
        counts = [(kind, int(count)) for kind, *_, count in (request.split() for request in requests)]
        answers = [Repeated(who="own", digests=(DIGEST,) * count, counts=(10_000,) * count) for _, count in counts]
        return answers, sum(count * self.cost for kind, count in counts if kind == "calls")


class Processes(Repeater):
    """Starts processes whose calls take so many times as long as was reported; the last number serves all others."""

    def __init__(self, *times: float) -> None:
        object.__setattr__(self, "times", [*times])

    @contextmanager
    def start(self, executable: Executable) -> Iterator[Repetition]:
        times: list[float] = self.times  # type: ignore[attr-defined]
        yield Process(CALL * (times.pop(0) if len(times) > 1 else times[0]))


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses take no time, and nothing else runs."""
    monkeypatch.setattr(own_clock.time, "sleep", lambda _: None)
    monkeypatch.setattr(own_clock, "_used_seconds", lambda: 0.0)


def verdict(*times: float) -> FailureKind | None:
    """Return what is said of a process whose timings are CALL, as others take so many times as long."""
    outputs = ",".join(["own", *[DIGEST] * 15])
    sample: dict[str, Any] = {name: 0 for name in RECORD} | {"measure": "xor", "length": 1024, "keys": 1}
    sample |= {"outputs": outputs, "series": [int(CALL * PER_SECOND)] * 15}
    measured = Measured(
        executable=executable("ref"),
        samples=columns_of([sample], RECORD),
        chain_cycles=0,
        repeater=Processes(*times),
    )
    failure = Confirmer(Ticks(per_second=PER_SECOND)).alone(measured)
    return failure.kind if failure else None


def test_timings_that_other_processes_confirm_are_believed() -> None:
    assert verdict(1.0) is None


def test_timings_that_no_other_process_confirms_are_not_believed() -> None:
    assert verdict(2.0) is FailureKind.TIME_NOT_CONFIRMED


def test_one_slow_process_proves_nothing() -> None:
    """Where a process's memory lies is chance: Salsa20 in plain C takes 1.6 times as long in one of many."""
    assert verdict(1.6, 1.0) is None


CHAIN = 1000
POINTS = range(40)
"""Lengths of the samples, six of each, in a process that others are asked to confirm."""


def lengths_repeated(earlier: dict[Point, float], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the length of each sample that is repeated, if an earlier campaign has confirmed these cycles."""
    asked: list[str] = []
    timed = Process.timed

    def recorded(process: Process, requests: Sequence[str]) -> tuple[list[Repeated], float]:
        asked.extend(requests)
        return timed(process, requests)

    monkeypatch.setattr(Process, "timed", recorded)
    sample: dict[str, Any] = {name: 0 for name in RECORD} | {"measure": "xor", "keys": 1}
    sample |= {
        "chain_before": CHAIN,
        "chain_after": CHAIN,
        "outputs": ",".join(["own", *[DIGEST] * 15]),
        "series": [int(CALL * PER_SECOND)] * 15,
    }
    samples = [sample | {"length": length, "repetition": number} for length in POINTS for number in range(6)]
    measured = Measured(
        executable=executable("ref"), samples=columns_of(samples, RECORD), chain_cycles=CHAIN, repeater=Processes(1.0)
    )
    ticks = Ticks(per_second=PER_SECOND, chain_cycles=CHAIN, chain=CHAIN)
    assert Confirmer(ticks, earlier=lambda _: earlier).alone(measured) is None
    return [int(request.split()[2]) for request in asked]


def confirmed_earlier(cycles: float) -> dict[Point, float]:
    return {("xor", length, 0, 1, 0): cycles for length in POINTS}


def test_three_samples_of_every_point_are_repeated_the_first_time(monkeypatch: pytest.MonkeyPatch) -> None:
    repeated = Counter(lengths_repeated({}, monkeypatch))
    assert min(repeated[length] for length in POINTS) >= 3


def test_one_sample_is_enough_of_a_point_that_an_earlier_campaign_has_confirmed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    repeated = Counter(lengths_repeated(confirmed_earlier(CALL * PER_SECOND), monkeypatch))
    assert set(repeated) == set(POINTS)
    assert sum(number > 1 for number in repeated.values()) <= 1, "the one that is compared with the clock"


def test_a_point_that_no_campaign_has_confirmed_is_repeated_as_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    known = confirmed_earlier(CALL * PER_SECOND)
    del known["xor", 7, 0, 1, 0]
    repeated = Counter(lengths_repeated(known, monkeypatch))
    assert set(repeated) == set(POINTS)
    assert repeated[7] >= 3


def test_what_is_much_faster_than_an_earlier_campaign_has_confirmed_is_repeated_as_at_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    repeated = Counter(lengths_repeated(confirmed_earlier(2 * CALL * PER_SECOND), monkeypatch))
    assert min(repeated[length] for length in POINTS) >= 3
