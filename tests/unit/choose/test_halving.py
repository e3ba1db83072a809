# SPDX-License-Identifier: MIT OR Apache-2.0
"""Successive halving: each candidate is timed a few times, the leaders more often; the smallest median wins."""

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
    """A timer by which candidate i takes 1000 + 10 i cycles, plus noise below `noise`."""

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
def test_the_fastest_wins_at_any_index(seed: int) -> None:
    field = random.Random(seed).sample(FIELD, k=len(FIELD))
    race = choose(field, FakeTimer(), seed)
    assert race.winner == FIELD[0]
    assert race.failures == []


@pytest.mark.parametrize("seed", range(5))
def test_noise_smaller_than_the_differences_changes_nothing(seed: int) -> None:
    race = choose(FIELD, FakeTimer(accident=9), seed)
    assert race.winner == FIELD[0]


def test_finalists_are_timed_more_often_than_eliminated_candidates() -> None:
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


def test_no_two_timings_have_the_same_seed_and_the_same_seed_gives_the_same_selection() -> None:
    one, two = FakeTimer(), FakeTimer()
    assert choose(FIELD, one, seed=1) == choose(FIELD, two, seed=1)
    assert one.seeds == two.seeds
    assert len(set(one.seeds)) == len(one.seeds)


def test_a_candidate_that_fails_while_timed_is_eliminated_with_its_reason() -> None:
    timer = FakeTimer()

    def stumbling(candidate: Executable, seed: int) -> Timing | Failure:
        if candidate == FIELD[0]:
            return Failure(stage="choose", subject=candidate.subject, kind=FailureKind.CRASH, reason="stumbles")
        return timer(candidate, seed)

    race = choose(FIELD, stumbling, seed=1)
    assert race.winner == FIELD[1]
    assert [(failure.stage, failure.kind) for failure in race.failures] == [("choose", FailureKind.CRASH)]
    assert "i00" not in {trial.subject.implementation for trial in race.trials}


def test_a_selection_of_one_and_a_selection_that_none_survives() -> None:
    race = choose(FIELD[:1], FakeTimer(), seed=1)
    assert race.winner == FIELD[0]
    assert [trial.timings for trial in race.trials] == [1]

    def failing(candidate: Executable, seed: int) -> Timing | Failure:
        return Failure(stage="choose", subject=candidate.subject, kind=FailureKind.CRASH, reason="no")

    race = choose(FIELD, failing, seed=1)
    assert race.winner is None
    assert race.trials == []
    assert len(race.failures) == len(FIELD)


def test_slow_candidates_have_a_single_final(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    timer = FakeTimer()

    def slow(candidate: Executable, seed: int) -> Timing | Failure:
        now[0] += 0.6
        return timer(candidate, seed)

    race = choose(FIELD[:3], slow, seed=1)
    assert race.winner == FIELD[0]
    assert [trial.timings for trial in race.trials] == [1, 1, 1]


def test_the_incumbent_wins_a_tie() -> None:
    """Candidate 1 is 1 % slower than candidate 0, which is too little to replace it."""
    race = choose(FIELD, FakeTimer(), seed=1, earlier=PriorTimings(chosen=FIELD[1].subject))
    assert race.winner == FIELD[1]


def test_the_incumbent_loses_to_a_clearly_faster_candidate() -> None:
    race = choose(FIELD, FakeTimer(), seed=1, earlier=PriorTimings(chosen=FIELD[9].subject))
    assert race.winner == FIELD[0]
    timings = {trial.subject.implementation: trial.timings for trial in race.trials}
    assert timings["i09"] == timings["i00"], "it reached the final"


def test_identical_binaries_are_timed_once_and_the_incumbent_represents_them() -> None:
    twin = replace(executable("i00"), subject=replace(FIELD[0].subject, compiler="gcc-O2"))
    timer = FakeTimer()
    race = choose([*FIELD, twin], timer, seed=1, earlier=PriorTimings(chosen=twin.subject))
    assert race.winner == twin
    of_the_twins = [trial for trial in race.trials if trial.subject.implementation == "i00"]
    assert [trial.chosen for trial in of_the_twins] == [True, False]
    assert len({(trial.cycles, trial.timings) for trial in of_the_twins}) == 1
    assert timer.asked["i00"] == of_the_twins[0].timings


def test_cached_timings_leave_only_the_final(tmp_path: Path) -> None:
    memory = ChoiceCache(tmp_path, "this CPU")
    race = choose(FIELD, FakeTimer(), seed=1)
    memory.put("crypto_stream/salsa20", GRID, FIELD, race.trials, race.sure)
    timer = FakeTimer()
    race = choose(FIELD, timer, seed=2, earlier=memory.get("crypto_stream/salsa20", GRID))
    assert race.winner == FIELD[0]
    assert all(timer.asked[name] >= 3 for name in ("i00", "i01", "i02"))
    assert sum(timer.asked.values()) == 3 * 3 + 3, "and a tenth is timed anew, lest a disturbed time stands for ever"
    timings = {trial.subject.implementation: trial.timings for trial in race.trials}
    assert timings == {e.subject.implementation: timer.asked[e.subject.implementation] for e in FIELD}, (
        "the others are there with the times they had"
    )


def test_a_candidate_with_a_slow_cached_timing_or_without_rivals_is_not_timed_again() -> None:
    """Candidates 0 and 1 are timed again, and a tenth of the 28 that took twice as long."""
    cycles = {e.path.stem: 1000.0 if n < 2 else 2000.0 for n, e in enumerate(FIELD)}
    timer = FakeTimer()
    race = choose(FIELD, timer, seed=1, earlier=PriorTimings(cycles=cycles))
    assert race.winner == FIELD[0]
    assert len(timer.asked) <= 2 + 3
    assert len(race.trials) == len(FIELD), "the others are there with the times they had"
    timer = FakeTimer()
    race = choose(FIELD[:1], timer, seed=1, earlier=PriorTimings(cycles=cycles))
    assert race.winner == FIELD[0]
    assert [trial.timings for trial in race.trials] == [0]
    assert not timer.asked


def test_a_new_binary_is_compared_with_the_cached_timings_of_the_others() -> None:
    earlier = PriorTimings(
        chosen=FIELD[1].subject, cycles={e.path.stem: 1000.0 + 10 * n for n, e in enumerate(FIELD) if n}
    )
    timer = FakeTimer()
    race = choose(FIELD, timer, seed=1, earlier=earlier)
    assert race.winner == FIELD[1], "a tie of the new one and the one chosen before"
    assert timer.asked["i00"] == 4, "once to stand among the others, then in the final"


def test_a_disturbed_cached_timing_is_refreshed_sooner_or_later() -> None:
    times = {e.path.stem: 1000.0 + 10 * n for n, e in enumerate(FIELD)} | {"i00": 3000.0}
    winners = [choose(FIELD, FakeTimer(), seed, PriorTimings(cycles=times)).winner for seed in range(60)]
    assert {FIELD[0], FIELD[1]} == set(winners)


def test_the_choice_cache_depends_on_cpu_and_work_load(tmp_path: Path) -> None:
    memory = ChoiceCache(tmp_path, "this CPU")
    race = choose(FIELD, FakeTimer(), seed=1)
    assert memory.get("crypto_stream/salsa20", GRID) == PriorTimings()
    memory.put("crypto_stream/salsa20", GRID, FIELD, race.trials, race.sure)
    earlier = memory.get("crypto_stream/salsa20", GRID)
    assert earlier.chosen == FIELD[0].subject
    assert [earlier.of(each) for each in FIELD[:2]] == [1000, 1010]
    other_load = memory.get("crypto_stream/salsa20", ["encrypt length=1"])
    assert (other_load.chosen, other_load.cycles) == (FIELD[0].subject, {})
    assert ChoiceCache(tmp_path, "another CPU").get("crypto_stream/salsa20", GRID) == PriorTimings()


def test_the_final_ends_when_one_candidate_is_far_ahead() -> None:
    def timer(candidate: Executable, seed: int) -> Timing:
        return Timing(100.0 if candidate == FIELD[0] else 200.0)

    race = choose(FIELD[:3], timer, seed=1)
    assert race.winner == FIELD[0]
    assert {trial.timings for trial in race.trials} == {1}


def disturbing(name: str, factor: float, times: int) -> FakeTimer:
    """Make a timer whose first timings of one candidate are disturbed, and marked so, by a factor."""

    class Disturbed(FakeTimer):
        def __call__(self, candidate: Executable, seed: int) -> Timing | Failure:
            timed = super().__call__(candidate, seed)
            if candidate.subject.implementation != name or self.asked[name] > times or isinstance(timed, Failure):
                return timed
            return Timing(factor * timed.cycles, quiet=False)

    return Disturbed()


@pytest.mark.parametrize("seed", range(5))
def test_a_disturbance_neither_eliminates_the_fastest_nor_promotes_a_slow_candidate(seed: int) -> None:
    """While disturbed, candidate 0 looks slower than any other, candidate 9 much faster than all."""
    assert choose(FIELD, disturbing("i00", 1.7, times=1), seed).winner == FIELD[0]
    assert choose(FIELD, disturbing("i09", 0.5, times=4), seed).winner == FIELD[0]
    assert choose(FIELD[:4], disturbing("i03", 0.5, times=4), seed).winner == FIELD[0]


def test_there_is_a_winner_even_without_a_quiet_moment() -> None:
    """The incumbent wins if there is one, so that its dependents are not built again after a doubtful selection."""

    def loud(candidate: Executable, seed: int) -> Timing | Failure:
        timed = FakeTimer()(candidate, seed)
        assert isinstance(timed, Timing)
        return replace(timed, quiet=False)

    race = choose(FIELD, loud, seed=1)
    assert race.winner == FIELD[0]
    assert race.sure == frozenset()
    assert choose(FIELD, loud, seed=1, earlier=PriorTimings(chosen=FIELD[3].subject)).winner == FIELD[3]


def test_only_undisturbed_timings_are_cached(tmp_path: Path) -> None:
    memory = ChoiceCache(tmp_path, "this CPU")
    race = choose(FIELD, disturbing("i29", 3, times=9), seed=1)
    memory.put("crypto_stream/salsa20", GRID, FIELD, race.trials, race.sure)
    earlier = memory.get("crypto_stream/salsa20", GRID)
    assert [earlier.of(each) for each in (FIELD[28], FIELD[29])] == [1280, None]
