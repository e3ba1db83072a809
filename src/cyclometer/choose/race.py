# SPDX-License-Identifier: MIT OR Apache-2.0
"""The race of all tunings of a primitive."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

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
    alone changes neither the tuning nor what is built on it. Tunings that are the very same program run as one."""
    draw = random.Random(seed)
    twins = _identical(candidates, before)
    seen: dict[int, list[float]] = {place: [] for place in twins}
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
            subject=candidates[twin].subject,
            cycles=_median(values),
            timings=len(values),
            chosen=twin == winner,
        )
        for place, values in seen.items()
        if values
        for twin in twins[place]
    ]
    trials.sort(key=lambda trial: (not trial.chosen, -trial.timings, trial.cycles))
    failures = [
        replace(failure, subject=candidates[twin].subject) for place, failure in failed.items() for twin in twins[place]
    ]
    return None if winner is None else candidates[winner], trials, failures


def heat(candidates: Sequence[Executable], timer: Timer, seed: int) -> tuple[list[Trial], list[Failure]]:
    """One timing of each, in random order, and the failures: who may be ahead, with nobody chosen."""
    draw = random.Random(seed)
    twins = list(_identical(candidates, None).values())
    draw.shuffle(twins)
    trials, failures = [], []
    for places in twins:
        result = timer(candidates[places[0]], draw.getrandbits(48))
        subjects = [candidates[place].subject for place in places]
        if isinstance(result, Failure):
            failures += [replace(result, subject=subject) for subject in subjects]
        else:
            trials += [Trial(subject=subject, cycles=result, timings=1, chosen=False) for subject in subjects]
    return trials, failures


def _identical(candidates: Sequence[Executable], before: Subject | None) -> dict[int, list[int]]:
    """Places of the same program by the one that runs for all: the one chosen before, else the first."""
    groups: dict[Path, list[int]] = {}
    for place, candidate in enumerate(candidates):
        groups.setdefault(candidate.path, []).append(place)
    first = (next((p for p in group if candidates[p].subject == before), group[0]) for group in groups.values())
    return dict(zip(first, groups.values(), strict=True))


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
