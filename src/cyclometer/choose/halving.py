# SPDX-License-Identifier: MIT OR Apache-2.0
"""Successive halving over all tunings of a primitive."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cyclometer.choose.cache import PriorTimings
from cyclometer.choose.candidates import DEFAULT, Budget, CandidatePool, Place, Timer
from cyclometer.choose.ties import LEADER_MARGIN, is_clear, near_ties, quick_scores, ranked
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure
from cyclometer.records.tuning import NOISE, Timing, Trial, Tuning

SURVIVORS = 1 / 3  # share of the timed candidates that go on to the next pass
MIN_SURVIVORS = 3  # ... but never fewer than these
SURVIVOR_MARGIN = 1.1  # ... and all this close to the fastest: a disturbance of one timing may go unnoticed
FINAL_TIMINGS = 2  # timings of a finalist, prior and new; the fastest has a new one ...
FINAL_MARGIN = 1.25  # ... unless the fastest leads by more than any disturbance that goes unnoticed
FIRST_CLOSE_TIMINGS = 2  # timings of every near tie that include the quick grid ...
MIN_CLOSE_TIMINGS, MAX_CLOSE_TIMINGS = 6, 15  # ... and of those not hopeless there; more if any may tie
WHOLE_PASS = 5  # times the time for near ties that one timing of each may take
HOPELESS_RATIO = 1.03  # a near tie this many times slower on the quick grid is not timed further
MAX_RETRIES = 6  # at most this many further passes over finalists without a quiet timing
CONTENDER_RATIO, CONTENDER_TIMINGS = 2.0, 2  # one at most this many times slower is not left out before so many ...
CONTENDER_LEAST = 1.1  # ... nor one of which any call took at most so many times as long as the best candidate
SKIP_RATIO = 1.5  # candidates this many times slower than the best prior time are not timed again
RETIME_SHARE = 1 / 10  # of the prior timings are refreshed, so that a bad one cannot persist
NO_PRIOR = PriorTimings()


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The result of a selection: the winner, if any, and a trial for every candidate with a time.

    `failures` are the candidates that failed while they were timed, `quiet` the new quiet timings by program,
    `disturbed` those that were always disturbed and may lead, and `unconfirmed` those of them that are built with other
    compilers for that. `pool` has all timings of the `finalists`, if the selection can be continued.
    """

    winner: Executable | None
    trials: list[Trial]
    failures: list[Failure]
    quiet: Mapping[str, Sequence[Timing]]
    disturbed: Sequence[Tuning] = ()
    unconfirmed: Sequence[Tuning] = ()
    pool: CandidatePool | None = field(default=None, compare=False, repr=False)
    finalists: Sequence[int] = ()

    @property
    def is_settled(self) -> bool:
        """Whether the choice rests on quiet timings, those of the rivals included."""
        return all(trial.decided_by != NOISE for trial in self.trials)


def choose(
    candidates: Sequence[Executable],
    timer: Timer,
    seed: int,
    prior: PriorTimings = NO_PRIOR,
    budget: Budget = DEFAULT,
) -> Selection:
    """Choose the candidate with the smallest time; `ties` decides what that cannot.

    Candidates with `prior` timings keep them until the final, except for a few that are refreshed; the slow ones and
    a sole candidate are not timed again. A disturbed candidate is dropped only if it is slower than a disturbance
    explains. The incumbent reaches the final, and stays unless another is clearly better.
    """
    rng = random.Random(seed)
    pool = CandidatePool(candidates, timer, rng, prior, budget)
    refreshed = set(rng.sample(sorted(pool.prior), math.ceil(len(pool.prior) * RETIME_SHARE)))
    slow = pool.prior - set(pool.within(pool.prior, SKIP_RATIO)) - refreshed
    remaining = [index for index in pool.indices if index not in slow]
    while len(remaining) > MIN_SURVIVORS + 1:  # the survivors and the incumbent
        timed = [index for index in remaining if index not in pool.prior or index in refreshed]
        pool.run(timed)
        pool.retime_unconfirmed(remaining)
        count = max(MIN_SURVIVORS, math.ceil(len(timed) * SURVIVORS))
        _time_contenders_again(pool, remaining, _survivors(pool, remaining, count))
        kept = _survivors(pool, remaining, count)
        if kept.issuperset(remaining):
            break
        remaining = [index for index in pool.fastest_first(remaining) if index in kept]
    return _decided(pool, remaining, budget, [index for index in pool.indices if index not in {*remaining, *slow}])


def choose_again(selection: Selection, budget: Budget) -> Selection:
    """Continue a selection that disturbed timings left open: with more timings of its finalists at another moment."""
    if not selection.pool:
        return selection
    selection.pool.allow_retiming(budget.final_seconds, CONTENDER_RATIO)
    return _decided(selection.pool, selection.finalists, budget)


def _decided(pool: CandidatePool, candidates: Sequence[int], budget: Budget, dropped: Sequence[int] = ()) -> Selection:
    """Time the last candidates more often, and rank what remains of them.

    What was dropped by disturbed timings alone, here or before, leaves the selection open.
    """
    finalists = _final(pool, list(candidates), budget)
    _compare_near_ties(pool, finalists, budget.close_seconds)
    places = _with_incumbent_in_doubt(pool, ranked(pool, pool.fastest_first(finalists)))
    doubtful = [i for i in pool.unconfirmed([*candidates, *dropped], CONTENDER_RATIO) if i not in finalists]
    places = [*_with_doubts(pool, places), *(Place(index=index, decided_by=NOISE) for index in doubtful)]
    return replace(_selection(pool, places), pool=pool, finalists=[*finalists, *doubtful])


def time_once(
    candidates: Sequence[Executable],
    timer: Timer,
    seed: int,
    prior: PriorTimings,
    budget: Budget,
    *,
    again: bool = True,
) -> Selection:
    """Time once each candidate without a prior timing, and `again` those that may lead; choose none."""
    pool = CandidatePool(candidates, timer, random.Random(seed), prior, budget)
    pool.run([index for index in pool.indices if index not in pool.prior])
    pool.retime_unconfirmed(pool.indices)
    if again:
        _time_contenders_again(pool, pool.indices, end=time.monotonic() + budget.close_seconds)
    return replace(
        _selection(pool, []),
        disturbed=[pool.candidates[index].subject for index in pool.unconfirmed(pool.indices, CONTENDER_RATIO)],
        unconfirmed=[pool.candidates[index].subject for index in pool.unconfirmed(pool.indices)],
    )


def with_another_look(before: Selection, again: Selection) -> Selection:
    """Return what `time_once` has found, with what it found when it timed some of the same candidates once more.

    A quiet timing replaces a disturbed one; of two that are disturbed the smaller counts.
    """
    still = set(again.disturbed)
    found = {trial.subject: trial for trial in again.trials}

    def better(trial: Trial) -> Trial:
        other = found.get(trial.subject, trial)
        return min(trial, other, key=lambda each: each.cycles) if trial.subject in still else other

    return replace(
        before,
        trials=[better(trial) for trial in before.trials],
        failures=[*before.failures, *again.failures],
        disturbed=again.disturbed,
        unconfirmed=[subject for subject in before.unconfirmed if subject not in found or subject in still],
    )


def _survivors(pool: CandidatePool, indices: Sequence[int], count: int) -> set[int]:
    """Return the `count` fastest, those close to the fastest, and the incumbent."""
    fastest = pool.fastest_first(indices)
    incumbent = {index for index in fastest if index == pool.incumbent}
    return {*fastest[:count], *pool.within(fastest, SURVIVOR_MARGIN)} | incumbent


def _time_contenders_again(
    pool: CandidatePool, indices: Sequence[int], safe: Collection[int] = (), end: float = math.inf
) -> None:
    """Time again those timed once that may lead and are not `safe`; not one that has no rival.

    Now and then a single timing is a third longer, or takes three times as long, and no probe shows it.
    """
    best = pool.best_cycles(indices)
    contenders = [
        index
        for index in pool.fastest_first(indices)
        if pool.cycles(index) <= CONTENDER_RATIO * best or pool.least(index) <= CONTENDER_LEAST * best
    ]
    if len(contenders) == 1:
        return
    pool.run([i for i in contenders if i not in safe and pool.passes(i) < CONTENDER_TIMINGS], end=end)


def _selection(pool: CandidatePool, places: Sequence[Place]) -> Selection:
    winner = pool.candidates[places[0].index] if places else None
    return Selection(winner=winner, trials=pool.trials(places), failures=pool.failures(), quiet=pool.quiet_timings())


def _final(pool: CandidatePool, finalists: list[int], budget: Budget) -> list[int]:
    """Return the finalists that remain at the end, the fastest first."""
    end = time.monotonic() + budget.final_seconds
    if len(finalists) == 1 and finalists[0] in pool.prior:
        return finalists
    for number in range(budget.leader_timings + MAX_RETRIES):
        if number and time.monotonic() >= end:
            break
        timed = pool.fastest_first(index for index in finalists if pool.passes(index))
        leaders = pool.within(timed, LEADER_MARGIN)
        enough = {index: budget.leader_timings if index in leaders else FINAL_TIMINGS for index in finalists}
        waiting = [i for i in finalists if pool.passes(i) < enough[i] or (i in timed[:1] and not pool.new_timings(i))]
        if waiting:
            pool.run(waiting)
        elif not pool.retime_unconfirmed(finalists):
            break
        unconfirmed = pool.unconfirmed(finalists)
        ahead = {*unconfirmed, *pool.within(finalists, FINAL_MARGIN)}
        finalists = [index for index in pool.fastest_first(finalists) if index in ahead]
        if len(finalists) == 1:
            break
    return finalists


def _compare_near_ties(pool: CandidatePool, finalists: Sequence[int], seconds: float) -> None:
    """Time near ties on the quick grid, too, until it is clear what ties or the time is over.

    If the time was too short for some of them, these are timed, too, within WHOLE_PASS times as long: what is compared
    is what all have, and without it a fixed order would decide, by which one may be slow with long messages.
    """
    begun = time.monotonic()
    while time.monotonic() < begun + seconds:
        waiting = _wanting_timings(pool, finalists)
        if not waiting:
            return
        pool.run(waiting, quick=True, end=begun + seconds)
    near = near_ties(pool, finalists)
    missing = [index for index in near if not pool.quick_timings(index)]
    if 0 < len(missing) < len(near):
        each = (time.monotonic() - begun) / (len(near) - len(missing))
        if len(missing) * each <= WHOLE_PASS * seconds:
            pool.run(missing, quick=True)


def _wanting_timings(pool: CandidatePool, finalists: Sequence[int]) -> list[int]:
    """Return the near ties to time once more on the quick grid: first all that may tie."""
    near = near_ties(pool, finalists)
    new = [index for index in near if pool.quick_timings(index) < FIRST_CLOSE_TIMINGS]
    if new and len(near) > 1:
        return new
    scores = quick_scores(pool, near) if len(near) > 1 else {}
    rivals = [index for index in near if not scores or scores[index] <= HOPELESS_RATIO * min(scores.values())]
    if len(rivals) < 2:
        return []
    # Without the others, what is compared with may be another cell.
    clear = scores and is_clear(scores) and is_clear(quick_scores(pool, rivals))
    enough = MIN_CLOSE_TIMINGS if clear else MAX_CLOSE_TIMINGS
    return [index for index in rivals if pool.quick_timings(index) < enough]


def _with_incumbent_in_doubt(pool: CandidatePool, places: list[Place]) -> list[Place]:
    """Return the places, the incumbent's first if it or the winner was never timed in a quiet moment."""
    incumbent = [place for place in places if place.index == pool.incumbent]
    if not incumbent or not any(pool.is_unconfirmed(place.index) for place in (places[0], *incumbent)):
        return places
    others = [replace(place, decided_by=NOISE) for place in places if place not in incumbent]
    return [replace(incumbent[0], decided_by=""), *others]


def _with_doubts(pool: CandidatePool, places: list[Place]) -> list[Place]:
    """Return the places. What is behind by no more than a disturbance explains may be so by NOISE.

    It is if it or the winner was never timed in a quiet moment.
    """
    winner = places[0].index if places else None

    def is_in_doubt(index: int) -> bool:
        if winner is None or index == winner or not (pool.is_unconfirmed(winner) or pool.is_unconfirmed(index)):
            return False
        return pool.cycles(index) <= CONTENDER_RATIO * pool.cycles(winner)

    return [replace(place, decided_by=NOISE) if is_in_doubt(place.index) else place for place in places]
