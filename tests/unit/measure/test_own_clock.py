# SPDX-License-Identifier: MIT OR Apache-2.0
"""Timings are compared with the CPU time that such calls take, on a process whose cost is known by construction."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from cyclometer.measure import own_clock
from cyclometer.measure.own_clock import LOOSE_LIMIT, look, typical
from cyclometer.measure.repeat import Repeated, Repetition, Row, Ticks

PER_SECOND = 1e9  # counter units, so a microsecond is 1000 of them


class Process(Repetition):
    """Calls take `cost` seconds, preparing one takes `overhead`."""

    def __init__(self, cost: float, overhead: float = 1e-7) -> None:
        self.cost, self.overhead = cost, overhead

    def ask(self, requests: Sequence[str]) -> list[Repeated]:
        return self.timed(requests)[0]

    def cpu_seconds(self) -> float:
        return 0.0

    def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
        seconds = 0.0
        answers = []
        for request in requests:
            kind, *_, count = request.split()
            seconds += int(count) * (self.overhead + (self.cost if kind == "calls" else 0.0))
            answers.append(Repeated(who="any", digests=("0a0b0c0d",) * int(count), counts=()))
        return answers, seconds


class Others:
    """What other programs do in the pauses: they use this share of a core."""

    share = 0.0

    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds * self.share

    def used(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def others(monkeypatch: pytest.MonkeyPatch) -> Others:
    """Pauses take no time."""
    others = Others()
    monkeypatch.setattr(own_clock.time, "sleep", others.sleep)
    monkeypatch.setattr(own_clock, "_used_seconds", others.used)
    return others


def row(series: Sequence[int], outputs: str = "any") -> Row:
    sample: dict[str, Any] = {"measure": "hash", "length": 576, "ad_length": 0, "keys": 1, "alignment": 0}
    return {**sample, "repetition": 0, "number": 0, "inputs": 0, "first": 0, "outputs": outputs, "series": [*series]}


def slower(series: Sequence[int], cost: float, **options: Any) -> str:
    steady = options.pop("steady", True)
    seen = look(Process(cost, **options), row(series), Ticks(per_second=PER_SECOND, steady=steady), random.Random(1))
    return seen.slower


@pytest.mark.parametrize("microseconds", [4, 30, 1000, 50_000])
def test_timings_that_are_halved_are_not_believed(microseconds: int) -> None:
    right = [int(1000 * microseconds)] * 15
    assert slower(right, microseconds * 1e-6) == ""
    assert slower(right, 1.3 * microseconds * 1e-6) == ""
    assert "takes 2.0 times" in slower([series // 2 for series in right], microseconds * 1e-6)


def test_a_busy_machine_may_be_slower(others: Others) -> None:
    others.share = 1.0
    assert slower([10_000] * 15, 0.9 * LOOSE_LIMIT * 10e-6) == ""
    assert slower([10_000] * 15, 1.1 * LOOSE_LIMIT * 10e-6)


def test_a_process_cannot_make_the_machine_look_busy(others: Others) -> None:
    class Spinning(Process):
        def cpu_seconds(self) -> float:
            return others.now

    others.share = 1.0
    seen = look(Spinning(20e-6), row([10_000] * 15), Ticks(per_second=PER_SECOND), random.Random(1))
    assert "takes 2.0 times" in seen.slower


def test_beside_another_process_nothing_excuses_slow_calls_which_are_looked_at_again(others: Others) -> None:
    others.share = 1.0
    process, sample = Process(20e-6), row([10_000] * 15)
    seen = look(process, sample, Ticks(per_second=PER_SECOND), random.Random(1), alone=False)
    assert "takes 2.0 times" in seen.slower


def test_what_preparing_the_calls_costs_does_not_count() -> None:
    assert slower([1000] * 15, 1e-6, overhead=5e-6) == ""


def test_what_the_outputs_cost_is_not_left_to_the_process_to_say() -> None:
    class Liar(Process):
        def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
            answers, seconds = super().timed(requests)
            return [replace(answer, around=10**9) for answer in answers], seconds

    def seen(partner: Process | None) -> str:
        return look(
            Liar(8e-6), row([1000] * 15), Ticks(per_second=PER_SECOND), random.Random(1), partner=partner
        ).slower

    assert seen(None) == ""
    assert "takes 8." in seen(Process(1e-6)) or "takes 7." in seen(Process(1e-6))


def test_one_timing_that_has_all_the_work_does_not_hide_that_the_others_have_none() -> None:
    assert "takes 75.0 times" in slower([15_000, *[200] * 14], 15e-6)


def test_timings_that_vary_by_themselves_have_a_higher_limit() -> None:
    assert slower([10_000] * 15, 18e-6)
    assert slower([*[5000] * 5, *[10_000] * 5, *[20_000] * 5], 18e-6) == ""


def test_core_cycles_may_last_longer_than_when_they_were_counted() -> None:
    assert slower([10_000] * 15, 18e-6, steady=False) == ""
    assert slower([10_000] * 15, 1.1 * LOOSE_LIMIT * 10e-6, steady=False)


def test_long_calls_are_repeated_with_the_inputs_that_were_measured() -> None:
    """Their times may depend on the inputs, and few of them fit into the time."""
    seen = look(Process(0.0), row([4_000_000, 9_000_000, 5_000_000]), Ticks(per_second=PER_SECOND), random.Random(1))
    ((line, output),) = seen.outputs
    assert line.split()[-2:] in (["0", "1"], ["2", "1"]), "not the slowest"
    assert output == "any,0a0b0c0d"


class Rejecting(Process):
    """Rejects the measured inputs, whose timings have low numbers, in a tenth of the time that others take."""

    measured_cost = 1e-5

    def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
        answers, seconds = super().timed(requests)
        costs = [self.measured_cost if int(request.split()[-2]) < 100 else self.cost for request in requests]
        many = [int(PER_SECOND * cost) for cost in costs]
        counted = [
            replace(answer, counts=(count,) * len(answer.digests)) for answer, count in zip(answers, many, strict=True)
        ]
        return counted, seconds


def test_rejecting_may_take_longer_with_other_inputs_but_not_with_the_measured_ones() -> None:
    def seen(process: Process) -> str:
        return look(process, row([10_000] * 15, outputs=""), Ticks(per_second=PER_SECOND), random.Random(1)).slower

    assert seen(Rejecting(1e-4)) == ""
    liar = Rejecting(1e-4)
    liar.measured_cost = 1e-4
    assert "takes 10.0 times" in seen(liar)


def test_a_process_whose_counter_lies_cannot_vouch_for_the_measured_inputs() -> None:
    class Slow(Rejecting):
        def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
            answers, seconds = super().timed(requests)
            return [replace(answer, counts=(10_000,) * len(answer.counts)) for answer in answers], seconds

    liar = Slow(1e-4)
    seen = look(liar, row([10_000] * 15, outputs=""), Ticks(per_second=PER_SECOND), random.Random(1))
    assert "takes 10.0 times" in seen.slower


def test_many_keys_are_judged_as_one() -> None:
    """Repeated calls under many keys meet colder ones than the measured calls did."""
    many = {**row([10_000] * 15), "keys": 8192}
    seen = look(Process(1e-5), many, Ticks(per_second=PER_SECOND), random.Random(1))
    assert seen.slower == ""
    assert {line.split()[4] for line, _ in seen.outputs} == {"1"}


def test_the_middle_half_of_a_series() -> None:
    assert typical(row([26, 0, 0, 26, 0, 26, 0, 1000])) == 13
