# SPDX-License-Identifier: MIT OR Apache-2.0
"""The candidates of a selection and their timings. Identical binaries are timed once."""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from cyclometer.choose.cache import PriorTimings
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure
from cyclometer.records.quartile import lower_quartile_index
from cyclometer.records.tuning import Timing, Trial, Tuning


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The limits of one selection."""

    final_seconds: float  # after these no further pass of the final begins; long calls differ by more than noise
    close_seconds: float  # after these no candidate of a near tie is timed again
    retime_seconds: float  # for retiming disturbed candidates: a loud minute outlasts anybody's patience
    doubt_ratio: float  # a candidate this many times slower than the best is slower, disturbed or not
    leader_timings: int  # of one that is close to the fastest
    again_seconds: float  # for all selections together that disturbances leave open, when all others are made


# A busy neighbour makes RC4, whose table is written and read again at once, up to 1.7 times as slow or twice as fast.
DEFAULT = Budget(
    final_seconds=1.0, close_seconds=1.0, retime_seconds=0.25, doubt_ratio=2.0, leader_timings=6, again_seconds=10.0
)
# For many selections:
REDUCED = Budget(
    final_seconds=0.4, close_seconds=0.3, retime_seconds=0.0, doubt_ratio=1.0, leader_timings=4, again_seconds=30.0
)


@dataclass(frozen=True, kw_only=True)
class WantedTiming:
    """A timing of an executable that is to be taken; with `quick` on the rest of the operation's quick grid, too."""

    executable: Executable
    seed: int
    quick: bool


class Timer(Protocol):
    """Takes timings one after the other. It asks for the next one before it takes one, to prepare it meanwhile."""

    def __call__(self, wanted: Iterable[WantedTiming]) -> Iterator[Timing | Failure]: ...


@dataclass(frozen=True, kw_only=True)
class Place:
    """The place of a finalist: what put it behind the winner, and its ratio on the quick grid if that was compared."""

    index: int
    decided_by: str  # "work load" | "quick grid" | "fixed order" | "chosen before" | "noise"; empty for the winner
    quick_ratio: float | None = None  # to the winner


class CandidatePool:
    """Candidates by index. Tunings that compile to the same program share the index of the first by name.

    `incumbent` is the index of the tuning chosen before, if it is a candidate, and `incumbent_is_settled` tells whether
    quiet timings chose it; `prior` the indices with timings from earlier runs.
    """

    def __init__(
        self,
        candidates: Sequence[Executable],
        timer: Timer,
        rng: random.Random,
        prior: PriorTimings,
        budget: Budget,
    ) -> None:
        self.candidates, self._timer, self._rng = candidates, timer, rng
        self._identical = _identical(candidates)
        self._new: dict[int, list[Timing]] = {index: [] for index in self._identical}
        self._failed: dict[int, Failure] = {}
        self._no_quick_grid: set[int] = set()  # candidates that fail there
        self._doubt_ratio, self._retime_seconds = budget.doubt_ratio, budget.retime_seconds
        self._prior = {index: prior.of(candidates[index]) for index in self._identical}
        self.prior = {index for index, timings in self._prior.items() if timings}
        self.incumbent_is_settled = prior.is_settled
        self.incumbent = next(
            (i for i, same in self._identical.items() if prior.chosen in {candidates[n].subject for n in same}), None
        )

    @property
    def indices(self) -> list[int]:
        """One index for each distinct program."""
        return list(self._identical)

    def run(self, indices: Iterable[int], *, quick: bool = False, end: float = math.inf) -> bool:
        """Time each candidate once, in random order, until the moment `end`; return whether any was timed.

        The quick grid is timed if `quick`, and of those whose quick grid has been timed before; those that fail there
        are timed without it.
        """
        taken, failed = self._take(self._wanted(self._shuffled(indices), quick, end))
        self._take((index, replace(wanted, quick=False)) for index, wanted in failed)
        return bool(taken)

    def retime_unconfirmed(self, indices: Iterable[int]) -> bool:
        """Time the unconfirmed candidates once more, as far as the budget allows; return whether any was timed."""
        begin = time.monotonic()
        any_timed = self.run(self.unconfirmed(indices), end=begin + self._retime_seconds)
        self._retime_seconds -= time.monotonic() - begin
        return any_timed

    def allow_retiming(self, seconds: float, doubt_ratio: float) -> None:
        """Let candidates that are unconfirmed by this ratio be timed again for so long."""
        self._retime_seconds, self._doubt_ratio = seconds, doubt_ratio

    def _wanted(self, indices: Iterable[int], quick: bool, end: float) -> Iterator[tuple[int, WantedTiming]]:
        for index in indices:
            if time.monotonic() >= end:
                return
            is_quick = (quick or self.quick_timings(index) > 0) and index not in self._no_quick_grid
            seed = self._rng.getrandbits(48)
            yield index, WantedTiming(executable=self.candidates[index], seed=seed, quick=is_quick)

    def _take(self, wanted: Iterable[tuple[int, WantedTiming]]) -> tuple[int, list[tuple[int, WantedTiming]]]:
        """Take timings; return their number, and those that failed with the quick grid."""
        taken, failed = 0, list[tuple[int, WantedTiming]]()
        known, asked = itertools.tee(wanted)  # the timer is one ahead
        for (index, one), result in zip(known, self._timer(one for _, one in asked), strict=True):
            taken += 1
            if not isinstance(result, Failure):
                self._new[index].append(result)
            elif one.quick:
                self._no_quick_grid.add(index)
                failed.append((index, one))
            else:
                self._failed[index] = result
        return taken, failed

    def _shuffled(self, indices: Iterable[int]) -> list[int]:
        order = list(indices)
        self._rng.shuffle(order)
        return order

    def timings(self, index: int) -> list[Timing]:
        """Return the quiet timings, prior and new; if there are none, all new ones."""
        return [timing for timing in [*self._prior[index], *self._new[index]] if timing.quiet] or self._new[index]

    def passes(self, index: int) -> int:
        """Return the number of its timings, prior and new, disturbed ones included."""
        return len(self._prior[index]) + len(self._new[index])

    def new_timings(self, index: int) -> int:
        """Return the number of its timings in this selection."""
        return len(self._new[index])

    def quick_timings(self, index: int) -> int:
        """Return how many of its timings include undisturbed cells of the quick grid.

        Of one that fails there, or where the quick grid has no further cells, all do.
        """
        if index in self._no_quick_grid:
            return self.passes(index)
        return sum(timing.cells is not None for timing in [*self._prior[index], *self._new[index]])

    def is_quick_grid_disturbed(self, indices: Sequence[int]) -> bool:
        """Return whether disturbances are why candidates cannot be compared there, instead of a lack of time."""
        are_disturbed = any(timing.disturbed_cells for index in indices for timing in self._new[index])
        return are_disturbed or all(self.cells(index) for index in indices)

    def cells(self, index: int) -> list[Mapping[str, float]]:
        """Return the undisturbed cells of the quick grid, by timing."""
        return [timing.cells for timing in [*self._prior[index], *self._new[index]] if timing.cells]

    def cycles(self, index: int) -> float:
        """Return the lower quartile of the quiet timings, without any of all.

        A process may be slower than the next for reasons that no probe shows (what a neighbour left in the
        predictors); it is rarely faster. The lower quartile of few timings repeats where a median jumps.
        """
        return lower_quartile([timing.cycles for timing in self.timings(index)])

    def least(self, index: int) -> float:
        """Return the cycles of its fastest call in this selection."""
        return min((timing.least for timing in self._new[index]), default=math.inf)

    def fastest_first(self, indices: Iterable[int]) -> list[int]:
        """Return the candidates that have not failed, the fastest first."""
        return sorted((index for index in indices if index not in self._failed), key=self.cycles)

    def best_cycles(self, indices: Iterable[int]) -> float:
        """Return the cycles of the fastest confirmed candidate; if none is confirmed, of the fastest."""
        order = self.fastest_first(indices)
        confirmed = [index for index in order if not self.is_unconfirmed(index)]
        return min(map(self.cycles, confirmed or order), default=math.inf)

    def within(self, indices: Iterable[int], ratio: float) -> list[int]:
        """Return the candidates that take at most `ratio` times the best cycles."""
        indices = list(indices)
        limit = ratio * self.best_cycles(indices)
        return [index for index in self.fastest_first(indices) if self.cycles(index) <= limit]

    def unconfirmed(self, indices: Iterable[int], ratio: float | None = None) -> list[int]:
        """Return the candidates with disturbed timings only that a quiet one could show to be the fastest.

        They are slower by `ratio` at most, or else by that of the budget.
        """
        limit = self._doubt_ratio if ratio is None else ratio
        return [index for index in self.within(indices, limit) if self.is_unconfirmed(index)]

    def is_unconfirmed(self, index: int) -> bool:
        """Return whether the candidate has no quiet timing, neither new nor prior."""
        return not any(timing.quiet for timing in [*self._prior[index], *self._new[index]])

    def trials(self, places: Sequence[Place]) -> list[Trial]:
        """Return a trial for every candidate with a time: the chosen one first, then by place, then the others."""
        ranked = {place.index: (number, place) for number, place in enumerate(places, 1)}
        trials = []
        for index, timings in self._new.items():
            if not timings and (index not in self.prior or index in self._failed):
                continue
            number, place = ranked.get(index, (0, None))
            one = Trial(
                subject=self.candidates[index].subject,
                cycles=self.cycles(index),
                timings=len(timings),
                chosen=number == 1,
                place=number,
                decided_by=place.decided_by if place else "",
                quick_ratio=place.quick_ratio if place else None,
            )
            same = replace(one, chosen=False, place=0, decided_by="same program", quick_ratio=None)
            others = [replace(same, subject=self.candidates[n].subject) for n in self._identical[index] if n != index]
            trials += [one, *others]
        return sorted(
            trials, key=lambda trial: (not trial.chosen, trial.place or math.inf, -trial.timings, trial.cycles)
        )

    def failures(self) -> list[Failure]:
        """Return the failure of every candidate that failed while it was timed."""
        return [
            replace(failure, subject=self.candidates[tuning].subject)
            for index, failure in self._failed.items()
            for tuning in self._identical[index]
        ]

    def quiet_timings(self) -> dict[str, list[Timing]]:
        """Return the new quiet timings by program, for the cache."""
        return {
            self.candidates[index].path.stem: quiet
            for index, timings in self._new.items()
            if (quiet := [timing for timing in timings if timing.quiet])
        }


def lower_quartile(values: Sequence[float]) -> float:
    """Return the lower quartile of a few values, which is one of them."""
    return sorted(values)[lower_quartile_index(len(values))]


def _identical(candidates: Sequence[Executable]) -> dict[int, list[int]]:
    """Group the indices of identical programs under the index of the first by name, which is timed for all."""
    groups: dict[Path, list[int]] = {}
    for index in sorted(range(len(candidates)), key=lambda n: _name(candidates[n].subject)):
        groups.setdefault(candidates[index].path, []).append(index)
    return {group[0]: group for _, group in sorted(groups.items(), key=lambda item: item[1][0])}


def _name(tuning: Tuning) -> tuple[str, str]:
    return tuning.implementation, tuning.compiler
