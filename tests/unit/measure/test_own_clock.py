# SPDX-License-Identifier: MIT OR Apache-2.0
"""Timings are compared with the CPU time that such calls take, on a process whose cost is known by construction."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from cyclometer.measure import own_clock
from cyclometer.measure.own_clock import BUSY_LIMIT, LOOSE_LIMIT, SLOWED_LIMIT, look, pooled, typical
from cyclometer.measure.repeat import FRESH, NoAnswer, Repeated, Repetition, Row, Ticks

PER_SECOND = 1e9  # counter units, so a microsecond is 1000 of them


class Process(Repetition):
    """Calls take `cost` seconds, preparing one takes `overhead`."""

    def __init__(self, cost: float, overhead: float = 1e-7) -> None:
        self.cost, self.overhead = cost, overhead

    def ask(self, requests: Sequence[str]) -> list[Repeated]:
        return self.timed(requests)[0]

    def made(self, requests: Sequence[str]) -> list[str]:
        return ["" for _ in requests]

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


class Silent(Process):
    """Has no CPU time before its first answer: until then, the sandbox may still be in its place."""

    has_answered = False

    def ask(self, requests: Sequence[str]) -> list[Repeated]:
        self.has_answered = True
        return super().ask(requests)

    def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
        if not self.has_answered:
            raise NoAnswer("has not answered yet")
        return super().timed(requests)


@pytest.mark.parametrize("microseconds", [4, 1000, 50_000])
def test_a_process_answers_once_before_its_clock_is_looked_at(microseconds: int) -> None:
    right = row([1000 * microseconds] * 15)
    assert look(Silent(microseconds * 1e-6), right, Ticks(per_second=PER_SECOND), random.Random(1)).slower == ""


def test_a_busy_machine_may_be_slower(others: Others) -> None:
    others.share = 1.0
    assert slower([10_000] * 15, 0.9 * BUSY_LIMIT * 10e-6) == ""
    assert slower([10_000] * 15, 1.1 * BUSY_LIMIT * 10e-6)


class Guest:
    """Another guest on the same core, which makes everything take twice as long until it leaves."""

    def __init__(self, others: Others, seconds: float) -> None:
        others.share, self.others, self.seconds = 1e-9, others, 1e-9 * seconds  # no kernel of ours sees its time

    def slowdown(self) -> float:
        return 2.0 if self.others.now < self.seconds else 1.0

    def seen(self, process: Process) -> str:
        usual = process.cost
        guest = self

        class Slowed(Process):
            def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
                self.cost = usual * guest.slowdown()
                return super().timed(requests)

        ticks = Ticks(per_second=PER_SECOND, slowdown=self.slowdown)
        return look(Slowed(usual), row([10_000] * 15), ticks, random.Random(1)).slower


@pytest.mark.parametrize("seconds", [0.1, 1.0, 6.0])
def test_another_guest_on_the_core_is_given_time_to_leave(others: Others, seconds: float) -> None:
    assert Guest(others, seconds).seen(Process(10e-6)) == ""
    assert "takes 2.0 times" in Guest(others, seconds).seen(Process(20e-6))


def test_a_guest_that_stays_excuses_what_it_may_cost(others: Others) -> None:
    assert Guest(others, 1000.0).seen(Process(10e-6)) == ""
    assert "times" in Guest(others, 1000.0).seen(Process(1.1 * SLOWED_LIMIT / 2 * 10e-6))


@pytest.mark.parametrize("times", [1, 2])
def test_calls_during_which_a_guest_came_prove_nothing(
    times: int, others: Others, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes whenever calls are made, and has left at the end of each pause; twelve times, then it stays away."""
    there, left = [False], [12]
    pause = own_clock.time.sleep
    monkeypatch.setattr(own_clock.time, "sleep", lambda seconds: (pause(seconds), there.__setitem__(0, False)))

    class Visited(Process):
        def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
            there[0] = left[0] > 0
            self.cost = (2 if there[0] else 1) * times * 10e-6
            left[0] -= there[0] and requests[0].startswith("calls")
            return super().timed(requests)

    ticks = Ticks(per_second=PER_SECOND, slowdown=lambda: 2.0 if there[0] else 1.0)
    seen = look(Visited(10e-6), row([10_000] * 15), ticks, random.Random(1)).slower
    assert seen == "" if times == 1 else "takes 2.0 times" in seen


def test_a_guest_that_was_away_meanwhile_excuses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is on the core in each pause, and leaves when calls are made."""
    guest = [True]
    monkeypatch.setattr(own_clock.time, "sleep", lambda _: guest.__setitem__(0, True))

    class Alone(Process):
        def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
            guest[0] = False
            return super().timed(requests)

    ticks = Ticks(per_second=PER_SECOND, slowdown=lambda: 2.0 if guest[0] else 1.0)
    assert look(Alone(10e-6), row([10_000] * 15), ticks, random.Random(1)).slower == ""
    assert "takes 2.0 times" in look(Alone(20e-6), row([10_000] * 15), ticks, random.Random(1)).slower


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


class Wasting(Process):
    """Has seen to it that the C library calls it when a line is read, and wastes time if no call follows."""

    def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
        answers, seconds = super().timed(requests)
        counts = [int(request.split()[-1]) for request in requests if request.startswith("inputs ")]
        return answers, seconds + 0.75 * self.cost * sum(counts)


@pytest.mark.parametrize("microseconds", [4, 40])
def test_time_that_is_wasted_while_the_harness_prepares_calls_is_not_subtracted(microseconds: int) -> None:
    def seen(own: Process, partner: Process | None) -> str:
        quarter = row([250 * microseconds] * 15)
        return look(own, quarter, Ticks(per_second=PER_SECOND), random.Random(1), partner=partner).slower

    cost = 1e-6 * microseconds
    assert seen(Wasting(cost), None) == "", "nobody tells"
    assert "times" in seen(Wasting(cost), Process(cost))
    assert seen(Process(cost / 4), Process(cost)) == ""


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


class TryingKeys(Process):
    """Its calls are short; the key that each makes is tried, which takes as long as a call of another measure."""

    def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
        answers = [Repeated(who="any", digests=(), counts=(), around=0) for _ in requests]
        tries = [int(line.split()[-1]) if line.startswith("calls") else 0 for line in requests]
        around = [int(PER_SECOND * self.cost * count) for count in tries]
        return [replace(a, around=each) for a, each in zip(answers, around, strict=True)], sum(around) / PER_SECOND


def test_trying_the_keys_of_slow_code_takes_as_long_as_that_is_slow() -> None:
    def seen(times: float) -> str:
        own, partner = TryingKeys(10e-6), TryingKeys(1e-6)
        short = row([20] * 15)
        ticks, rng = Ticks(per_second=PER_SECOND), random.Random(1)
        return look(own, short, ticks, rng, partner=partner, slowness=lambda: times).slower

    assert seen(10.0) == ""
    assert "times" in seen(1.0), "the code is as fast elsewhere: it puts work off until the key is used"


class Sealing(Process):
    """Makes the inputs of its calls, and wastes some seconds if no call follows."""

    def __init__(self, cost: float, waste: float = 0.0) -> None:
        super().__init__(cost, overhead=cost)
        self.waste = waste

    def made(self, requests: Sequence[str]) -> list[str]:
        return [f"5ea1{line.split()[7]}" for line in requests]  # the same in all processes

    def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
        answers, seconds = super().timed([request for request in requests if not request.startswith(("g", "t"))])
        for request in requests:
            kind, *words = request.split()
            if kind == "given":
                answers.append(Repeated(who="any", digests=("0a0b0c0d",), counts=(int(PER_SECOND * self.cost),)))
                seconds += self.cost
            seconds += self.waste * int(words[-1]) if kind == "inputs" else 0.0
        return [replace(a, counts=a.counts or (int(PER_SECOND * self.cost),)) for a in answers], seconds


@pytest.mark.parametrize("microseconds", [2, 200])
def test_time_that_is_wasted_on_inputs_does_not_count_as_theirs(microseconds: int) -> None:
    def seen(own: Process, series: float, **others: Process) -> str:
        timings = row([int(PER_SECOND * series)] * 15)
        return look(own, timings, Ticks(per_second=PER_SECOND), random.Random(1), **others).slower

    cost = 1e-6 * microseconds
    others = {"partner": Sealing(cost / 10), "maker": Sealing(cost)}
    assert seen(Sealing(cost), cost, **others) == ""
    assert seen(Sealing(cost, waste=cost), cost / 40) == "", "nobody tells"
    assert "times" in seen(Sealing(cost, waste=40 * cost), cost / 40, **others)
    liar = Sealing(20 * cost, waste=20 * cost)
    assert "times" in seen(liar, cost, **others)


def test_one_timing_that_has_all_the_work_does_not_hide_that_the_others_have_none() -> None:
    assert "takes 75.0 times" in slower([15_000, *[200] * 14], 15e-6)


def test_timings_that_vary_by_themselves_have_a_higher_limit() -> None:
    assert slower([10_000] * 15, 18e-6)
    assert slower([*[5000] * 5, *[10_000] * 5, *[20_000] * 5], 18e-6) == ""


def test_code_that_allocates_memory_for_each_key_may_take_longer_now_and_then() -> None:
    def seen(cost: float) -> str:
        ticks = Ticks(per_second=PER_SECOND)
        return look(Process(cost), row([10_000] * 15), ticks, random.Random(1), allocates=True).slower

    assert seen(0.9 * LOOSE_LIMIT * 10e-6) == ""
    assert seen(1.1 * LOOSE_LIMIT * 10e-6)


def test_core_cycles_may_last_longer_than_when_they_were_counted() -> None:
    assert slower([10_000] * 15, 18e-6, steady=False) == ""
    assert slower([10_000] * 15, 1.1 * LOOSE_LIMIT * 10e-6, steady=False)


def repeated(sample: Row) -> list[list[str]]:
    """Return the words of the lines that are repeated."""
    seen = look(Process(0.0), sample, Ticks(per_second=PER_SECOND), random.Random(1))
    return [line.split() for line, _ in seen.outputs]


def test_calls_are_repeated_with_inputs_that_nobody_could_foresee() -> None:
    for series in ([4_000] * 15, [400_000] * 15, [4_000_000, 9_000_000, 5_000_000]):
        assert all(int(words[-2]) >= FRESH for words in repeated(row(series)))


def test_what_is_known_of_one_or_two_timings_only_is_repeated_with_the_same_inputs() -> None:
    """A key pair may take several times as long as another."""
    (words,) = repeated(row([9_000_000, 4_000_000]))
    assert words[-2:] == ["1", "1"], "not the slowest"


def test_few_timings_of_long_calls_are_judged_with_others_of_the_same_point() -> None:
    one, two, other = row([4_000_000]), row([5_000_000, 9_000_000]), {**row([1]), "length": 1}
    assert pooled(one, [one, two, other])["series"] == [4_000_000, 5_000_000, 9_000_000]
    assert pooled(one, [one, other]) == one


def test_inputs_that_are_made_beforehand_are_different_ones() -> None:
    """A result could be remembered."""
    words = repeated({**row([200_000] * 15), "inputs": 8})
    assert len({line[-2] for line in words}) == len(words) > 1
    assert {line[-1] for line in words} == {"1"}


def test_times_that_depend_on_the_inputs_are_believed() -> None:
    """Such as signing, which begins anew with probability 3/4."""

    class Signing(Process):
        rng = random.Random(2)

        def turns(self) -> int:
            return next(turn for turn in itertools.count(1) if self.rng.random() > 0.75)

        def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
            self.cost = 5e-4 * self.turns()
            return super().timed(requests)

    for _ in range(300):
        process = Signing(0.0)
        series = [500_000 * process.turns() for _ in range(15)]
        assert look(process, row(series), Ticks(per_second=PER_SECOND), random.Random(1)).slower == ""


def test_many_short_calls_whose_times_depend_on_the_inputs_are_believed() -> None:
    """ML-DSA-44 needs 4.25 attempts in the mean; the clock sees that mean, and 15 timings may show half of it."""
    rng = random.Random(3)

    def signatures(count: int) -> list[int]:
        attempts = (next(n for n in itertools.count(1) if rng.random() < 1 / 4.25) for _ in range(count))
        return [10_000 + 5000 * each for each in attempts]

    mean = (10_000 + 5000 * 4.25) / PER_SECOND
    assert not any(slower(signatures(15), mean) for _ in range(3000))
    assert all(slower([each // 5 for each in signatures(15)], mean) for _ in range(100))
    pool = [row(signatures(15)) for _ in range(4)]
    assert len(pooled(pool[0], pool)["series"]) == 60


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
