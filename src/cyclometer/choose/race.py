# SPDX-License-Identifier: MIT OR Apache-2.0
"""The race of all tunings of a primitive."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Sequence

from cyclometer.model import Executable, Failure, Subject, Trial

Timer = Callable[[Executable, int], float | Failure]
"""(executable, seed) -> cycles of the choose work load in one process, or why there are none."""

KEEP = 1 / 3  # of the candidates of a heat go on to the next
LEAST = 3  # ... but never fewer than these
FINAL_HEATS = 3  # the last few run this many heats more
TIE = 1.02  # what was chosen before keeps its place unless another is faster by more than this


def choose(
    candidates: Sequence[Executable], timer: Timer, seed: int, before: Subject | None = None
) -> tuple[Executable | None, list[Trial], list[Failure]]:
    """The winner by smallest median, a Trial for every candidate, and the candidates that failed under the clock.

    `before` is the tuning chosen in an earlier run: it reaches the final and wins its ties, so that noise
    alone changes neither the tuning nor what is built on it."""
    draw = random.Random(seed)
    seen: dict[int, list[float]] = {place: [] for place in range(len(candidates))}
    failed: dict[int, Failure] = {}
    racing = list(seen)
    finals = 0
    while racing and finals < FINAL_HEATS:
        finals += len(racing) <= LEAST + 1  # the final: the best, and the one chosen before
        draw.shuffle(racing)
        for place in racing:
            result = timer(candidates[place], draw.getrandbits(48))
            if isinstance(result, Failure):
                failed[place] = result
            else:
                seen[place].append(result)
        racing = sorted((p for p in racing if p not in failed), key=lambda place: _median(seen[place]))
        kept = racing[: max(LEAST, math.ceil(len(racing) * KEEP))]
        racing = kept + [place for place in racing if candidates[place].subject == before and place not in kept]
    winner = _winner(racing, candidates, seen, before)
    trials = [
        Trial(
            subject=candidates[place].subject,
            cycles=_median(values),
            timings=len(values),
            chosen=place == winner,
        )
        for place, values in seen.items()
        if values
    ]
    trials.sort(key=lambda trial: (not trial.chosen, -trial.timings, trial.cycles))
    return None if winner is None else candidates[winner], trials, list(failed.values())


def _winner(
    racing: Sequence[int],
    candidates: Sequence[Executable],
    seen: dict[int, list[float]],
    before: Subject | None,
) -> int | None:
    """The first of the race, unless the tuning chosen before is as fast."""
    if not racing:
        return None
    limit = _median(seen[racing[0]]) * TIE
    return next((p for p in racing if candidates[p].subject == before and _median(seen[p]) <= limit), racing[0])


def _median(values: Sequence[float]) -> float:
    return statistics.median(values) if values else math.inf
