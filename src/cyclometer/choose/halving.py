# SPDX-License-Identifier: MIT OR Apache-2.0
"""The race of all tunings of a primitive."""

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

SURVIVORS = 1 / 3  # of the candidates of a heat go on to the next
MIN_SURVIVORS = 3  # ... but never fewer than these
FINAL_PASSES = 3  # the last few run this many heats more ...
FINAL_MARGIN = 1.25  # ... unless the fastest of them leads by more than any disturbance that goes unseen
MAX_RETRIES = 6  # so often at the most those of the last few are timed once more that no quiet moment has shown
SKIP_RATIO = 1.5  # times the best of the earlier times: too slow for a final
RETIME_SHARE = 1 / 10  # of those timed in earlier races are timed anew, so that no false time stands for ever
NO_PRIOR = PriorTimings()
INCUMBENT_MARGIN = 1.02  # what was chosen before keeps its place unless another is surely faster by more than this


@dataclass(frozen=True, kw_only=True)
class Selection:
    """How it ended: the winner, if anybody won; a Trial for every candidate with a time; the candidates that failed
    under the clock; and those whose time was seen in a quiet moment."""

    winner: Executable | None
    trials: list[Trial]
    failures: list[Failure]
    sure: frozenset[Tuning]


def choose(
    candidates: Sequence[Executable],
    timer: Timer,
    seed: int,
    earlier: PriorTimings = NO_PRIOR,
    pace: Budget = DEFAULT,
) -> Selection:
    """The race that the smallest median wins.

    Programs timed in `earlier` races need not show again who is slow: but for a few, they stand with those times
    until the final, and the slow ones do not get there. One without a rival is not timed again.
    The tuning chosen then reaches the final and wins its ties, so that noise alone changes neither the tuning nor
    what is built on it. Tunings that are the very same program run as one. Who was disturbed falls out only where
    that cannot be the reason."""
    draw = random.Random(seed)
    field = CandidatePool(candidates, timer, draw, earlier, pace)
    again = draw.sample(sorted(field.known), math.ceil(len(field.known) * RETIME_SHARE))
    limit = SKIP_RATIO * min(field.known.values(), default=math.inf)
    racing = [place for place in field.indices if place in again or field.known.get(place, 0) <= limit]
    while len(racing) > MIN_SURVIVORS + 1:  # the best, and the one chosen before
        running = [place for place in racing if place not in field.known or place in again]
        field.run(running)
        field.retime_unconfirmed(racing)
        racing = field.fastest_first(racing)
        kept = racing[: max(MIN_SURVIVORS, math.ceil(len(running) * SURVIVORS))]
        racing = kept + [place for place in racing if place == field.before and place not in kept]
    winner = _winner(field, _final(field, racing, pace.final))
    won = None if winner is None else candidates[winner]
    return Selection(winner=won, trials=field.trials(winner), failures=field.failures(), sure=field.confirmed())


def time_once(
    candidates: Sequence[Executable], timer: Timer, seed: int, earlier: PriorTimings, pace: Budget
) -> Selection:
    """One timing of each that has none of an earlier race, one more where it was disturbed: who may be ahead, with
    nobody chosen."""
    field = CandidatePool(candidates, timer, random.Random(seed), earlier, pace)
    field.run([place for place in field.indices if place not in field.known])
    field.retime_unconfirmed(field.indices)
    return Selection(winner=None, trials=field.trials(None), failures=field.failures(), sure=field.confirmed())


def _final(field: CandidatePool, racing: list[int], seconds: float) -> list[int]:
    """Those still racing at the end, the fastest first."""
    end = time.monotonic() + seconds
    if len(racing) == 1 and racing[0] in field.known:
        return racing
    for number in range(FINAL_PASSES + MAX_RETRIES):
        if number and time.monotonic() >= end:
            break
        if number < FINAL_PASSES:
            field.run(racing)
        elif not field.retime_unconfirmed(racing):
            break
        racing = field.fastest_first(racing)
        limit, doubtful = FINAL_MARGIN * field.best_cycles(racing), field.unconfirmed(racing)
        racing = [place for place in racing if place in doubtful or field.median_cycles(place) <= limit]
        if len(racing) == 1:
            break
    return racing


def _winner(field: CandidatePool, racing: Sequence[int]) -> int | None:
    """The first of the race, unless the tuning chosen before is as fast, or nobody has seen both in a quiet moment."""
    if not racing:
        return None
    first, before = racing[0], field.before
    if before is None or before not in racing:
        return first
    in_doubt = field.is_unconfirmed(first) or field.is_unconfirmed(before)
    return before if in_doubt or field.median_cycles(before) <= INCUMBENT_MARGIN * field.median_cycles(first) else first
