# SPDX-License-Identifier: MIT OR Apache-2.0
"""The race: every candidate is timed a little, those in the lead more; the smallest median wins."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from cyclometer.choose import choose
from cyclometer.model import Executable, Failure
from made_up import executable

FIELD = [executable(f"i{place:02}") for place in range(30)]


class FakeTimer:
    """Candidate i takes 1000 + 10 i cycles, and by accident up to so much more."""

    def __init__(self, accident: float = 0) -> None:
        self.draw = random.Random(5)
        self.accident = accident
        self.asked: Counter[str] = Counter()
        self.seeds: list[int] = []

    def __call__(self, candidate: Executable, seed: int) -> float | Failure:
        name = candidate.subject.implementation
        self.asked[name] += 1
        self.seeds.append(seed)
        return 1000 + 10 * int(name[1:]) + self.draw.random() * self.accident


@pytest.mark.parametrize("seed", range(5))
def test_the_fastest_wins_wherever_it_stands(seed: int) -> None:
    field = random.Random(seed).sample(FIELD, k=len(FIELD))
    winner, _, failed = choose(field, FakeTimer(), seed)
    assert winner == FIELD[0]
    assert failed == []


@pytest.mark.parametrize("seed", range(5))
def test_accidents_smaller_than_the_differences_change_nothing(seed: int) -> None:
    winner, _, _ = choose(FIELD, FakeTimer(accident=9), seed)
    assert winner == FIELD[0]


def test_finalists_are_timed_more_often_than_those_that_fell_out() -> None:
    timer = FakeTimer()
    _, trials, _ = choose(FIELD, timer, seed=1)
    timings = {trial.subject.implementation: trial.timings for trial in trials}
    assert timings == dict(timer.asked)
    assert min(timings.values()) == 1
    assert timings["i00"] == max(timings.values()) >= 4
    assert sum(timings.values()) < 3 * len(FIELD), "the race is short"


def test_every_candidate_has_a_trial_and_one_is_chosen() -> None:
    _, trials, _ = choose(FIELD, FakeTimer(), seed=1)
    assert {trial.subject for trial in trials} == {candidate.subject for candidate in FIELD}
    assert [trial.subject.implementation for trial in trials if trial.chosen] == ["i00"]
    assert trials[0].chosen
    assert trials[0].cycles == 1000


def test_no_two_timings_have_the_same_seed_and_the_same_seed_gives_the_same_race() -> None:
    one, two = FakeTimer(), FakeTimer()
    assert choose(FIELD, one, seed=1) == choose(FIELD, two, seed=1)
    assert one.seeds == two.seeds
    assert len(set(one.seeds)) == len(one.seeds)


def test_a_candidate_that_fails_under_the_clock_falls_out_with_its_reason() -> None:
    timer = FakeTimer()

    def stumbling(candidate: Executable, seed: int) -> float | Failure:
        if candidate == FIELD[0]:
            return Failure(stage="choose", subject=candidate.subject, reason="stumbles")
        return timer(candidate, seed)

    winner, trials, failed = choose(FIELD, stumbling, seed=1)
    assert winner == FIELD[1]
    assert [failure.reason for failure in failed] == ["stumbles"]
    assert "i00" not in {trial.subject.implementation for trial in trials}


def test_a_race_of_one_and_a_race_that_nobody_finishes() -> None:
    winner, trials, _ = choose(FIELD[:1], FakeTimer(), seed=1)
    assert winner == FIELD[0]
    assert [trial.timings for trial in trials] == [3]

    def failing(candidate: Executable, seed: int) -> float | Failure:
        return Failure(stage="choose", subject=candidate.subject, reason="no")

    winner, trials, failed = choose(FIELD, failing, seed=1)
    assert winner is None
    assert trials == []
    assert len(failed) == len(FIELD)


def test_what_was_chosen_before_keeps_its_place_in_a_tie() -> None:
    """Candidate 1 is 1 % slower than candidate 0: noise, as far as a race can tell."""
    winner, _, _ = choose(FIELD, FakeTimer(), seed=1, before=FIELD[1].subject)
    assert winner == FIELD[1]


def test_what_was_chosen_before_gives_way_to_what_is_clearly_faster() -> None:
    winner, trials, _ = choose(FIELD, FakeTimer(), seed=1, before=FIELD[9].subject)
    assert winner == FIELD[0]
    timings = {trial.subject.implementation: trial.timings for trial in trials}
    assert timings["i09"] == timings["i00"], "it reached the final"


def test_tunings_that_are_one_program_run_once_and_the_one_chosen_before_stands_for_them() -> None:
    twin = replace(executable("i00"), subject=replace(FIELD[0].subject, compiler="gcc-O2"))
    timer = FakeTimer()
    winner, trials, _ = choose([*FIELD, twin], timer, seed=1, before=twin.subject)
    assert winner == twin
    of_the_twins = [trial for trial in trials if trial.subject.implementation == "i00"]
    assert [trial.chosen for trial in of_the_twins] == [True, False]
    assert len({(trial.cycles, trial.timings) for trial in of_the_twins}) == 1
    assert timer.asked["i00"] == of_the_twins[0].timings
