# SPDX-License-Identifier: MIT OR Apache-2.0
"""The candidates of a selection and their timings. Identical binaries are timed once."""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cyclometer.choose.cache import PriorTimings
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure
from cyclometer.records.tuning import Trial, Tuning


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The limits of one selection."""

    final_seconds: float  # after these no further pass of the final begins; long calls differ by more than noise
    retime_seconds: float  # for retiming disturbed candidates: a loud minute outlasts anybody's patience
    doubt_ratio: float  # a candidate this many times slower than the best is slower, disturbed or not


# A busy neighbour makes RC4, whose table is written and read again at once, up to 1.7 times as slow or twice as fast.
DEFAULT = Budget(final_seconds=1.0, retime_seconds=0.25, doubt_ratio=2.0)
REDUCED = Budget(final_seconds=0.4, retime_seconds=0.0, doubt_ratio=1.0)  # for campaigns with many selections


@dataclass(frozen=True)
class Timing:
    """Cycles that one process took for the choose grid, and whether nothing disturbed it."""

    cycles: float
    quiet: bool = True


Timer = Callable[[Executable, int], Timing | Failure]
"""(executable, seed) -> its timing, or why there is none."""


class CandidatePool:
    """Candidates by index. Tunings that compile to the same program share the index of one of them.

    `incumbent` is the index of the tuning chosen before, if it is a candidate; `prior` the cycles from earlier runs.
    """

    def __init__(
        self,
        candidates: Sequence[Executable],
        timer: Timer,
        rng: random.Random,
        prior: PriorTimings,
        budget: Budget,
    ) -> None:
        self._candidates, self._timer, self._rng = candidates, timer, rng
        self._identical = _identical(candidates, prior.chosen)
        self._timings: dict[int, list[Timing]] = {index: [] for index in self._identical}
        self._failed: dict[int, Failure] = {}
        self._doubt_ratio, self._retime_seconds = budget.doubt_ratio, budget.retime_seconds
        self.incumbent = next((i for i in self._identical if candidates[i].subject == prior.chosen), None)
        cycles = {index: prior.of(candidates[index]) for index in self._identical}
        self.prior = {index: value for index, value in cycles.items() if value is not None}

    @property
    def indices(self) -> list[int]:
        """One index for each distinct program."""
        return list(self._identical)

    def run(self, indices: Iterable[int]) -> None:
        """Time each candidate once, in random order."""
        for index in self._shuffled(indices):
            self._time(index)

    def retime_unconfirmed(self, indices: Iterable[int]) -> bool:
        """Time the unconfirmed candidates once more, as far as the budget allows; return whether any was timed."""
        begin, any_timed = time.monotonic(), False
        for index in self._shuffled(self.unconfirmed(indices)):
            if time.monotonic() - begin >= self._retime_seconds:
                break
            self._time(index)
            any_timed = True
        self._retime_seconds -= time.monotonic() - begin
        return any_timed

    def _shuffled(self, indices: Iterable[int]) -> list[int]:
        order = list(indices)
        self._rng.shuffle(order)
        return order

    def _time(self, index: int) -> None:
        result = self._timer(self._candidates[index], self._rng.getrandbits(48))
        if isinstance(result, Failure):
            self._failed[index] = result
        else:
            self._timings[index].append(result)

    def median_cycles(self, index: int) -> float:
        """Return the median of the quiet timings; without any the prior cycles, else the median of all timings."""
        quiet = [timing.cycles for timing in self._timings[index] if timing.quiet]
        if not quiet and index in self.prior:
            return self.prior[index]
        return statistics.median(quiet or [timing.cycles for timing in self._timings[index]])

    def fastest_first(self, indices: Iterable[int]) -> list[int]:
        """Return the candidates that have not failed, the fastest first."""
        return sorted((index for index in indices if index not in self._failed), key=self.median_cycles)

    def best_cycles(self, indices: Iterable[int]) -> float:
        """Return the cycles of the fastest confirmed candidate; if none is confirmed, of the fastest."""
        order = self.fastest_first(indices)
        confirmed = [index for index in order if not self.is_unconfirmed(index)]
        return min(map(self.median_cycles, confirmed or order), default=math.inf)

    def unconfirmed(self, indices: Iterable[int]) -> list[int]:
        """Return the candidates with disturbed timings only that a quiet one could show to be the fastest."""
        limit = self._doubt_ratio * self.best_cycles(indices)
        return [i for i in self.fastest_first(indices) if self.is_unconfirmed(i) and self.median_cycles(i) <= limit]

    def is_unconfirmed(self, index: int) -> bool:
        """Return whether the candidate has no quiet timing, neither new nor prior."""
        return index not in self.prior and not any(timing.quiet for timing in self._timings[index])

    def trials(self, winner: int | None) -> list[Trial]:
        """Return a trial for every candidate with a time: the chosen one first, then the most often timed."""
        trials = [
            Trial(
                subject=self._candidates[tuning].subject,
                cycles=self.median_cycles(index),
                timings=len(timings),
                chosen=tuning == winner,
            )
            for index, timings in self._timings.items()
            if timings or (index in self.prior and index not in self._failed)
            for tuning in self._identical[index]
        ]
        return sorted(trials, key=lambda trial: (not trial.chosen, -trial.timings, trial.cycles))

    def failures(self) -> list[Failure]:
        """Return the failure of every candidate that failed while it was timed."""
        return [
            replace(failure, subject=self._candidates[tuning].subject)
            for index, failure in self._failed.items()
            for tuning in self._identical[index]
        ]

    def confirmed(self) -> frozenset[Tuning]:
        """Return the candidates with a quiet timing, new or prior."""
        confirmed = (index for index in self._identical if not self.is_unconfirmed(index))
        return frozenset(self._candidates[tuning].subject for index in confirmed for tuning in self._identical[index])


def _identical(candidates: Sequence[Executable], chosen: Tuning | None) -> dict[int, list[int]]:
    """Group the indices of identical programs under the index that is timed: the chosen tuning's, else the first."""
    groups: dict[Path, list[int]] = {}
    for index, candidate in enumerate(candidates):
        groups.setdefault(candidate.path, []).append(index)
    first = (next((i for i in group if candidates[i].subject == chosen), group[0]) for group in groups.values())
    return dict(zip(first, groups.values(), strict=True))
