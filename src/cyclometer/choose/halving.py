# SPDX-License-Identifier: MIT OR Apache-2.0
"""Successive halving over all tunings of a primitive."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from cyclometer.choose.cache import PriorTimings
from cyclometer.choose.candidates import DEFAULT, Budget, CandidatePool, Timer
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure
from cyclometer.records.tuning import Trial, Tuning

SURVIVORS = 1 / 3  # share of the timed candidates that go on to the next pass
MIN_SURVIVORS = 3  # ... but never fewer than these
FINAL_PASSES = 3  # the finalists are timed this many times more ...
FINAL_MARGIN = 1.25  # ... unless the fastest leads by more than any disturbance that goes unnoticed
MAX_RETRIES = 6  # at most this many further passes over finalists without a quiet timing
SKIP_RATIO = 1.5  # candidates this many times slower than the best prior time are not timed again
RETIME_SHARE = 1 / 10  # of the prior timings are refreshed, so that a bad one cannot persist
NO_PRIOR = PriorTimings()
INCUMBENT_MARGIN = 1.02  # the incumbent stays unless another tuning is faster by more than this


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The result of a selection: the winner, if any, and a trial for every candidate with a time.

    `failures` are the candidates that failed while they were timed, `confirmed` those with a quiet timing.
    """

    winner: Executable | None
    trials: list[Trial]
    failures: list[Failure]
    confirmed: frozenset[Tuning]


def choose(
    candidates: Sequence[Executable],
    timer: Timer,
    seed: int,
    prior: PriorTimings = NO_PRIOR,
    budget: Budget = DEFAULT,
) -> Selection:
    """Choose the candidate with the smallest median time.

    Candidates with a `prior` timing keep it until the final, except for a few that are refreshed; the slow ones and
    a sole candidate are not timed again. The incumbent reaches the final and wins ties, so that noise alone changes
    nothing; a disturbed candidate is dropped only if it is slower than a disturbance explains.
    """
    rng = random.Random(seed)
    pool = CandidatePool(candidates, timer, rng, prior, budget)
    refreshed = rng.sample(sorted(pool.prior), math.ceil(len(pool.prior) * RETIME_SHARE))
    limit = SKIP_RATIO * min(pool.prior.values(), default=math.inf)
    remaining = [index for index in pool.indices if index in refreshed or pool.prior.get(index, 0) <= limit]
    while len(remaining) > MIN_SURVIVORS + 1:  # the survivors and the incumbent
        timed = [index for index in remaining if index not in pool.prior or index in refreshed]
        pool.run(timed)
        pool.retime_unconfirmed(remaining)
        remaining = pool.fastest_first(remaining)
        kept = remaining[: max(MIN_SURVIVORS, math.ceil(len(timed) * SURVIVORS))]
        remaining = kept + [index for index in remaining if index == pool.incumbent and index not in kept]
    winner = _winner(pool, _final(pool, remaining, budget.final_seconds))
    executable = None if winner is None else candidates[winner]
    return Selection(
        winner=executable, trials=pool.trials(winner), failures=pool.failures(), confirmed=pool.confirmed()
    )


def time_once(
    candidates: Sequence[Executable], timer: Timer, seed: int, prior: PriorTimings, budget: Budget
) -> Selection:
    """Time once each candidate without a prior timing, and retime those that were disturbed; choose none."""
    pool = CandidatePool(candidates, timer, random.Random(seed), prior, budget)
    pool.run([index for index in pool.indices if index not in pool.prior])
    pool.retime_unconfirmed(pool.indices)
    return Selection(winner=None, trials=pool.trials(None), failures=pool.failures(), confirmed=pool.confirmed())


def _final(pool: CandidatePool, finalists: list[int], seconds: float) -> list[int]:
    """Return the finalists that remain at the end, the fastest first."""
    end = time.monotonic() + seconds
    if len(finalists) == 1 and finalists[0] in pool.prior:
        return finalists
    for number in range(FINAL_PASSES + MAX_RETRIES):
        if number and time.monotonic() >= end:
            break
        if number < FINAL_PASSES:
            pool.run(finalists)
        elif not pool.retime_unconfirmed(finalists):
            break
        finalists = pool.fastest_first(finalists)
        limit, unconfirmed = FINAL_MARGIN * pool.best_cycles(finalists), pool.unconfirmed(finalists)
        finalists = [index for index in finalists if index in unconfirmed or pool.median_cycles(index) <= limit]
        if len(finalists) == 1:
            break
    return finalists


def _winner(pool: CandidatePool, finalists: Sequence[int]) -> int | None:
    """Return the fastest finalist, or the incumbent if it is within the margin or either of them is unconfirmed."""
    if not finalists:
        return None
    first, incumbent = finalists[0], pool.incumbent
    if incumbent is None or incumbent not in finalists:
        return first
    in_doubt = pool.is_unconfirmed(first) or pool.is_unconfirmed(incumbent)
    ties = pool.median_cycles(incumbent) <= INCUMBENT_MARGIN * pool.median_cycles(first)
    return incumbent if in_doubt or ties else first
