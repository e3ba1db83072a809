# SPDX-License-Identifier: MIT OR Apache-2.0
"""The race of all tunings of a primitive."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Sequence

from cyclometer.model import Executable, Failure, Trial

Timer = Callable[[Executable, int], float | Failure]
"""(executable, seed) -> cycles of the choose work load in one process, or why there are none."""

KEEP = 1 / 3  # of the candidates of a heat go on to the next
LEAST = 3  # ... but never fewer than these
FINAL_HEATS = 3  # the last few run this many heats more


def choose(
    candidates: Sequence[Executable], timer: Timer, seed: int
) -> tuple[Executable | None, list[Trial], list[Failure]]:
    """The winner by smallest median, a Trial for every candidate, and the candidates that failed under the clock."""
    draw = random.Random(seed)
    seen: dict[int, list[float]] = {place: [] for place in range(len(candidates))}
    failed: dict[int, Failure] = {}
    racing = list(seen)
    finals = 0
    while racing and (len(racing) > LEAST or finals < FINAL_HEATS):
        finals += len(racing) <= LEAST
        draw.shuffle(racing)
        for place in racing:
            result = timer(candidates[place], draw.getrandbits(48))
            if isinstance(result, Failure):
                failed[place] = result
            else:
                seen[place].append(result)
        racing = sorted((p for p in racing if p not in failed), key=lambda place: _median(seen[place]))
        racing = racing[: max(LEAST, math.ceil(len(racing) * KEEP))]
    winner = racing[0] if racing else None
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


def _median(values: Sequence[float]) -> float:
    return statistics.median(values) if values else math.inf
