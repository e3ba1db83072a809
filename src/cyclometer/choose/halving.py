# SPDX-License-Identifier: MIT OR Apache-2.0
"""The race of all tunings of a primitive."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from cyclometer.choose.cache import Earlier
from cyclometer.choose.candidates import USUAL, Field, Pace, Timer
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure
from cyclometer.records.tuning import Subject, Trial

KEEP = 1 / 3  # of the candidates of a heat go on to the next
LEAST = 3  # ... but never fewer than these
FINAL_HEATS = 3  # the last few run this many heats more ...
CLOSE = 1.25  # ... unless the fastest of them leads by more than any disturbance that goes unseen
LOOKS = 6  # so often at the most those of the last few are timed once more that no quiet moment has shown
SLOW = 1.5  # times the best of the earlier times: too slow for a final
AGAIN = 1 / 10  # of those timed in earlier races are timed anew, so that no false time stands for ever
NOTHING_EARLIER = Earlier()
TIE = 1.02  # what was chosen before keeps its place unless another is surely faster by more than this


@dataclass(frozen=True, kw_only=True)
class Race:
    """How it ended: the winner, if anybody won; a Trial for every candidate with a time; the candidates that failed
    under the clock; and those whose time was seen in a quiet moment."""

    winner: Executable | None
    trials: list[Trial]
    failures: list[Failure]
    sure: frozenset[Subject]


def choose(
    candidates: Sequence[Executable],
    timer: Timer,
    seed: int,
    earlier: Earlier = NOTHING_EARLIER,
    pace: Pace = USUAL,
) -> Race:
    """The race that the smallest median wins.

    Programs timed in `earlier` races need not show again who is slow: but for a few, they stand with those times
    until the final, and the slow ones do not get there. One without a rival is not timed again.
    The tuning chosen then reaches the final and wins its ties, so that noise alone changes neither the tuning nor
    what is built on it. Tunings that are the very same program run as one. Who was disturbed falls out only where
    that cannot be the reason."""
    draw = random.Random(seed)
    field = Field(candidates, timer, draw, earlier, pace)
    again = draw.sample(sorted(field.known), math.ceil(len(field.known) * AGAIN))
    limit = SLOW * min(field.known.values(), default=math.inf)
    racing = [place for place in field.places if place in again or field.known.get(place, 0) <= limit]
    while len(racing) > LEAST + 1:  # the best, and the one chosen before
        running = [place for place in racing if place not in field.known or place in again]
        field.run(running)
        field.look_again(racing)
        racing = field.ordered(racing)
        kept = racing[: max(LEAST, math.ceil(len(running) * KEEP))]
        racing = kept + [place for place in racing if place == field.before and place not in kept]
    winner = _winner(field, _final(field, racing, pace.final))
    won = None if winner is None else candidates[winner]
    return Race(winner=won, trials=field.trials(winner), failures=field.failures(), sure=field.sure())


def heat(candidates: Sequence[Executable], timer: Timer, seed: int, earlier: Earlier, pace: Pace) -> Race:
    """One timing of each that has none of an earlier race, one more where it was disturbed: who may be ahead, with
    nobody chosen."""
    field = Field(candidates, timer, random.Random(seed), earlier, pace)
    field.run([place for place in field.places if place not in field.known])
    field.look_again(field.places)
    return Race(winner=None, trials=field.trials(None), failures=field.failures(), sure=field.sure())


def _final(field: Field, racing: list[int], seconds: float) -> list[int]:
    """Those still racing at the end, the fastest first."""
    end = time.monotonic() + seconds
    if len(racing) == 1 and racing[0] in field.known:
        return racing
    for number in range(FINAL_HEATS + LOOKS):
        if number and time.monotonic() >= end:
            break
        if number < FINAL_HEATS:
            field.run(racing)
        elif not field.look_again(racing):
            break
        racing = field.ordered(racing)
        limit, doubtful = CLOSE * field.lead(racing), field.doubtful(racing)
        racing = [place for place in racing if place in doubtful or field.standing(place) <= limit]
        if len(racing) == 1:
            break
    return racing


def _winner(field: Field, racing: Sequence[int]) -> int | None:
    """The first of the race, unless the tuning chosen before is as fast, or nobody has seen both in a quiet moment."""
    if not racing:
        return None
    first, before = racing[0], field.before
    if before is None or before not in racing:
        return first
    in_doubt = field.is_in_doubt(first) or field.is_in_doubt(before)
    return before if in_doubt or field.standing(before) <= TIE * field.standing(first) else first
