# SPDX-License-Identifier: MIT OR Apache-2.0
"""The race of all tunings of a primitive."""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cyclometer.choose.memory import Earlier
from cyclometer.model import Executable, Failure, Subject, Trial

Timer = Callable[[Executable, int], float | Failure]
"""(executable, seed) -> cycles of the choose work load in one process, or why there are none."""

KEEP = 1 / 3  # of the candidates of a heat go on to the next
LEAST = 3  # ... but never fewer than these
FINAL_HEATS = 3  # the last few run this many heats more
FINAL_SECONDS = 1.0  # ... but begin none after this: RSA's signatures are long enough to differ by more than noise
CLOSE = 1.25  # ... unless the fastest of them leads by more than any disturbance that goes unseen
SLOW = 1.5  # times the best of the earlier times: too slow for a final, whatever disturbed that timing
AGAIN = 1 / 10  # of those timed in earlier races are timed anew, so that no disturbed time stands for ever
NOTHING_EARLIER = Earlier()
TIE = 1.02  # what was chosen before keeps its place unless another is faster by more than this


def choose(
    candidates: Sequence[Executable], timer: Timer, seed: int, earlier: Earlier = NOTHING_EARLIER
) -> tuple[Executable | None, list[Trial], list[Failure]]:
    """The winner by smallest median, a Trial for every candidate, and the candidates that failed under the clock.

    Programs timed in `earlier` races need not show again who is slow: but for a few, they stand with those times
    until the final, and the slow ones do not get there. One without a rival is not timed again.
    The tuning chosen then reaches the final and wins its ties, so that noise alone changes neither the tuning nor
    what is built on it. Tunings that are the very same program run as one."""
    draw = random.Random(seed)
    before = earlier.chosen
    twins = _identical(candidates, before)
    known = {place: cycles for place in twins if (cycles := earlier.of(candidates[place])) is not None}
    again = draw.sample(sorted(known), math.ceil(len(known) * AGAIN))
    slow = _slow(known) - {*again}
    seen: dict[int, list[float]] = {place: [] for place in twins}
    failed: dict[int, Failure] = {}

    def standing(place: int) -> float:
        return statistics.median(seen[place]) if seen[place] else known[place]

    racing = [place for place in seen if place not in slow]
    finals, end = 0, math.inf
    while racing and finals < FINAL_HEATS and time.monotonic() < end and (len(racing) > 1 or racing[0] not in known):
        final = len(racing) <= LEAST + 1  # the best, and the one chosen before
        if final and not finals:
            end = time.monotonic() + FINAL_SECONDS
        finals += final
        running = [place for place in racing if final or place not in known or place in again]
        draw.shuffle(running)
        for place in running:
            result = timer(candidates[place], draw.getrandbits(48))
            if isinstance(result, Failure):
                failed[place] = result
            else:
                seen[place].append(result)
        racing = sorted((p for p in racing if p not in failed), key=standing)
        kept = racing[: max(LEAST, math.ceil(len(running) * KEEP))]
        racing = kept + [place for place in racing if candidates[place].subject == before and place not in kept]
        if final:
            racing = [place for place in racing if standing(place) <= CLOSE * standing(racing[0])]
            if len(racing) == 1:
                break
    winner = _winner(racing, candidates, standing, before)
    trials = [
        Trial(
            subject=candidates[twin].subject,
            cycles=standing(place),
            timings=len(values),
            chosen=twin == winner,
        )
        for place, values in seen.items()
        if values or (place in known and place not in failed)
        for twin in twins[place]
    ]
    trials.sort(key=lambda trial: (not trial.chosen, -trial.timings, trial.cycles))
    failures = [
        replace(failure, subject=candidates[twin].subject) for place, failure in failed.items() for twin in twins[place]
    ]
    return None if winner is None else candidates[winner], trials, failures


def heat(
    candidates: Sequence[Executable], timer: Timer, seed: int, earlier: Earlier = NOTHING_EARLIER
) -> tuple[list[Trial], list[Failure]]:
    """One timing of each that has none of an earlier race, in random order, and the failures: who may be ahead,
    with nobody chosen."""
    draw = random.Random(seed)
    twins = list(_identical(candidates, None).values())
    draw.shuffle(twins)
    trials, failures = [], []
    for places in twins:
        known = earlier.of(candidates[places[0]])
        result = timer(candidates[places[0]], draw.getrandbits(48)) if known is None else known
        subjects = [candidates[place].subject for place in places]
        if isinstance(result, Failure):
            failures += [replace(result, subject=subject) for subject in subjects]
        else:
            timings = int(known is None)
            trials += [Trial(subject=subject, cycles=result, timings=timings, chosen=False) for subject in subjects]
    return trials, failures


def _identical(candidates: Sequence[Executable], before: Subject | None) -> dict[int, list[int]]:
    """Places of the same program by the one that runs for all: the one chosen before, else the first."""
    groups: dict[Path, list[int]] = {}
    for place, candidate in enumerate(candidates):
        groups.setdefault(candidate.path, []).append(place)
    first = (next((p for p in group if candidates[p].subject == before), group[0]) for group in groups.values())
    return dict(zip(first, groups.values(), strict=True))


def _slow(known: Mapping[int, float]) -> set[int]:
    """Places of those that no disturbance keeps from the lead."""
    limit = SLOW * min(known.values(), default=math.inf)
    return {place for place, cycles in known.items() if cycles > limit}


def _winner(
    racing: Sequence[int],
    candidates: Sequence[Executable],
    standing: Callable[[int], float],
    before: Subject | None,
) -> int | None:
    """The first of the race, unless the tuning chosen before is as fast."""
    if not racing:
        return None
    limit = standing(racing[0]) * TIE
    return next((p for p in racing if candidates[p].subject == before and standing(p) <= limit), racing[0])
