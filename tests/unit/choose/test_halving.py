# SPDX-License-Identifier: MIT OR Apache-2.0
"""The race: every candidate is timed a little, those in the lead more; the smallest median wins."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer.choose import Timing, choose
from cyclometer.choose.cache import ChoiceCache, PriorTimings
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind
from support.fakes import executable

GRID = ["encrypt length=576"]
FIELD = [executable(f"i{place:02}") for place in range(30)]


class FakeTimer:
    """Candidate i takes 1000 + 10 i cycles, and by accident up to so much more."""

    def __init__(self, accident: float = 0) -> None:
        self.draw = random.Random(5)
        self.accident = accident
        self.asked: Counter[str] = Counter()
        self.seeds: list[int] = []

    def __call__(self, candidate: Executable, seed: int) -> Timing | Failure:
        name = candidate.subject.implementation
        self.asked[name] += 1
        self.seeds.append(seed)
        return Timing(1000 + 10 * int(name[1:]) + self.draw.random() * self.accident)


@pytest.mark.parametrize("seed", range(5))
def test_the_fastest_wins_wherever_it_stands(seed: int) -> None:
    field = random.Random(seed).sample(FIELD, k=len(FIELD))
    race = choose(field, FakeTimer(), seed)
    assert race.winner == FIELD[0]
    assert race.failures == []


@pytest.mark.parametrize("seed", range(5))
def test_accidents_smaller_than_the_differences_change_nothing(seed: int) -> None:
    race = choose(FIELD, FakeTimer(accident=9), seed)
    assert race.winner == FIELD[0]


def test_finalists_are_timed_more_often_than_those_that_fell_out() -> None:
    timer = FakeTimer()
    trials = choose(FIELD, timer, seed=1).trials
    timings = {trial.subject.implementation: trial.timings for trial in trials}
    assert timings == dict(timer.asked)
    assert min(timings.values()) == 1
    assert timings["i00"] == max(timings.values()) >= 4
    assert sum(timings.values()) < 3 * len(FIELD), "the race is short"


def test_every_candidate_has_a_trial_and_one_is_chosen() -> None:
    trials = choose(FIELD, FakeTimer(), seed=1).trials
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

    def stumbling(candidate: Executable, seed: int) -> Timing | Failure:
        if candidate == FIELD[0]:
            return Failure(stage="choose", subject=candidate.subject, kind=FailureKind.CRASH, reason="stumbles")
        return timer(candidate, seed)

    race = choose(FIELD, stumbling, seed=1)
    assert race.winner == FIELD[1]
    assert [(failure.stage, failure.kind) for failure in race.failures] == [("choose", FailureKind.CRASH)]
    assert "i00" not in {trial.subject.implementation for trial in race.trials}


def test_a_race_of_one_and_a_race_that_nobody_finishes() -> None:
    race = choose(FIELD[:1], FakeTimer(), seed=1)
    assert race.winner == FIELD[0]
    assert [trial.timings for trial in race.trials] == [1]

    def failing(candidate: Executable, seed: int) -> Timing | Failure:
        return Failure(stage="choose", subject=candidate.subject, kind=FailureKind.CRASH, reason="no")

    race = choose(FIELD, failing, seed=1)
    assert race.winner is None
    assert race.trials == []
    assert len(race.failures) == len(FIELD)


def test_slow_ones_run_a_single_final(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    timer = FakeTimer()

    def slow(candidate: Executable, seed: int) -> Timing | Failure:
        now[0] += 0.6
        return timer(candidate, seed)

    race = choose(FIELD[:3], slow, seed=1)
    assert race.winner == FIELD[0]
    assert [trial.timings for trial in race.trials] == [1, 1, 1]


def test_what_was_chosen_before_keeps_its_place_in_a_tie() -> None:
    """Candidate 1 is 1 % slower than candidate 0: noise, as far as a race can tell."""
    race = choose(FIELD, FakeTimer(), seed=1, prior=PriorTimings(chosen=FIELD[1].subject))
    assert race.winner == FIELD[1]


def test_what_was_chosen_before_gives_way_to_what_is_clearly_faster() -> None:
    race = choose(FIELD, FakeTimer(), seed=1, prior=PriorTimings(chosen=FIELD[9].subject))
    assert race.winner == FIELD[0]
    timings = {trial.subject.implementation: trial.timings for trial in race.trials}
    assert timings["i09"] == timings["i00"], "it reached the final"


def test_tunings_that_are_one_program_run_once_and_the_one_chosen_before_stands_for_them() -> None:
    twin = replace(executable("i00"), subject=replace(FIELD[0].subject, compiler="gcc-O2"))
    timer = FakeTimer()
    race = choose([*FIELD, twin], timer, seed=1, prior=PriorTimings(chosen=twin.subject))
    assert race.winner == twin
    of_the_twins = [trial for trial in race.trials if trial.subject.implementation == "i00"]
    assert [trial.chosen for trial in of_the_twins] == [True, False]
    assert len({(trial.cycles, trial.timings) for trial in of_the_twins}) == 1
    assert timer.asked["i00"] == of_the_twins[0].timings


def test_what_an_earlier_race_timed_runs_only_in_the_final(tmp_path: Path) -> None:
    memory = ChoiceCache(tmp_path, "this CPU")
    race = choose(FIELD, FakeTimer(), seed=1)
    memory.put("crypto_stream/salsa20", GRID, FIELD, race.trials, race.confirmed)
    timer = FakeTimer()
    race = choose(FIELD, timer, seed=2, prior=memory.get("crypto_stream/salsa20", GRID))
    assert race.winner == FIELD[0]
    assert all(timer.asked[name] >= 3 for name in ("i00", "i01", "i02"))
    assert sum(timer.asked.values()) == 3 * 3 + 3, "and a tenth is timed anew, lest a disturbed time stands for ever"
    timings = {trial.subject.implementation: trial.timings for trial in race.trials}
    assert timings == {e.subject.implementation: timer.asked[e.subject.implementation] for e in FIELD}, (
        "the others are there with the times they had"
    )


def test_what_an_earlier_race_found_slow_or_alone_is_not_timed_again() -> None:
    """Candidates 0 and 1, and 28 that took twice as long: but for a tenth of them, only the two are timed."""
    cycles = {e.path.stem: 1000.0 if n < 2 else 2000.0 for n, e in enumerate(FIELD)}
    timer = FakeTimer()
    race = choose(FIELD, timer, seed=1, prior=PriorTimings(cycles=cycles))
    assert race.winner == FIELD[0]
    assert len(timer.asked) <= 2 + 3
    assert len(race.trials) == len(FIELD), "the others are there with the times they had"
    timer = FakeTimer()
    race = choose(FIELD[:1], timer, seed=1, prior=PriorTimings(cycles=cycles))
    assert race.winner == FIELD[0]
    assert [trial.timings for trial in race.trials] == [0]
    assert not timer.asked


def test_a_program_that_is_new_races_against_the_times_of_the_others() -> None:
    prior = PriorTimings(
        chosen=FIELD[1].subject, cycles={e.path.stem: 1000.0 + 10 * n for n, e in enumerate(FIELD) if n}
    )
    timer = FakeTimer()
    race = choose(FIELD, timer, seed=1, prior=prior)
    assert race.winner == FIELD[1], "a tie of the new one and the one chosen before"
    assert timer.asked["i00"] == 4, "once to stand among the others, then in the final"


def test_a_disturbed_time_does_not_stand_for_ever() -> None:
    times = {e.path.stem: 1000.0 + 10 * n for n, e in enumerate(FIELD)} | {"i00": 3000.0}
    winners = [choose(FIELD, FakeTimer(), seed, PriorTimings(cycles=times)).winner for seed in range(60)]
    assert {FIELD[0], FIELD[1]} == set(winners)


def test_the_memory_of_races_knows_its_cpu_and_its_work_load(tmp_path: Path) -> None:
    memory = ChoiceCache(tmp_path, "this CPU")
    race = choose(FIELD, FakeTimer(), seed=1)
    assert memory.get("crypto_stream/salsa20", GRID) == PriorTimings()
    memory.put("crypto_stream/salsa20", GRID, FIELD, race.trials, race.confirmed)
    prior = memory.get("crypto_stream/salsa20", GRID)
    assert prior.chosen == FIELD[0].subject
    assert [prior.of(each) for each in FIELD[:2]] == [1000, 1010]
    other_load = memory.get("crypto_stream/salsa20", ["encrypt length=1"])
    assert (other_load.chosen, other_load.cycles) == (FIELD[0].subject, {})
    assert ChoiceCache(tmp_path, "another CPU").get("crypto_stream/salsa20", GRID) == PriorTimings()


def test_the_final_ends_when_one_is_far_ahead() -> None:
    def timer(candidate: Executable, seed: int) -> Timing:
        return Timing(100.0 if candidate == FIELD[0] else 200.0)

    race = choose(FIELD[:3], timer, seed=1)
    assert race.winner == FIELD[0]
    assert {trial.timings for trial in race.trials} == {1}


def disturbing(name: str, factor: float, times: int) -> FakeTimer:
    """Beside a neighbour that makes this one so many times as slow in its first timings, and tells so."""

    class Disturbed(FakeTimer):
        def __call__(self, candidate: Executable, seed: int) -> Timing | Failure:
            timed = super().__call__(candidate, seed)
            if candidate.subject.implementation != name or self.asked[name] > times or isinstance(timed, Failure):
                return timed
            return Timing(factor * timed.cycles, quiet=False)

    return Disturbed()


@pytest.mark.parametrize("seed", range(5))
def test_a_disturbance_neither_keeps_the_fastest_from_the_lead_nor_brings_a_slow_one_there(seed: int) -> None:
    """In disturbed moments candidate 0 looks slower than any other, candidate 9 much faster than all."""
    assert choose(FIELD, disturbing("i00", 1.7, times=1), seed).winner == FIELD[0]
    assert choose(FIELD, disturbing("i09", 0.5, times=4), seed).winner == FIELD[0]
    assert choose(FIELD[:4], disturbing("i03", 0.5, times=4), seed).winner == FIELD[0]


def test_where_it_is_never_quiet_there_is_a_winner_all_the_same() -> None:
    """The one chosen before, if there is: what stands on it need not be built again for a doubtful race."""

    def loud(candidate: Executable, seed: int) -> Timing | Failure:
        timed = FakeTimer()(candidate, seed)
        assert isinstance(timed, Timing)
        return replace(timed, quiet=False)

    race = choose(FIELD, loud, seed=1)
    assert race.winner == FIELD[0]
    assert race.confirmed == frozenset()
    assert choose(FIELD, loud, seed=1, prior=PriorTimings(chosen=FIELD[3].subject)).winner == FIELD[3]


def test_only_quiet_times_are_remembered(tmp_path: Path) -> None:
    memory = ChoiceCache(tmp_path, "this CPU")
    race = choose(FIELD, disturbing("i29", 3, times=9), seed=1)
    memory.put("crypto_stream/salsa20", GRID, FIELD, race.trials, race.confirmed)
    prior = memory.get("crypto_stream/salsa20", GRID)
    assert [prior.of(each) for each in (FIELD[28], FIELD[29])] == [1280, None]
