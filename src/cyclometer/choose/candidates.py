# SPDX-License-Identifier: MIT OR Apache-2.0
"""The field of a race: its programs, each by the place of one of its tunings, and the times seen of them."""

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
    """How much a race may take: seconds after which no further heat of a final begins (RSA's signatures are long enough
    to differ by more than noise); seconds for timings taken once more (a loud minute lasts longer than anybody waits);
    and what a disturbed timing is trusted with: who takes so many times the best is slower, whatever disturbed it."""

    final: float
    again: float
    doubt: float


# A busy neighbour makes RC4, whose table is written and read again at once, up to 1.7 times as slow or twice as fast.
DEFAULT = Budget(final=1.0, again=0.25, doubt=2.0)
REDUCED = Budget(final=0.4, again=0.0, doubt=1.0)  # where there are many races


@dataclass(frozen=True)
class Timing:
    """Cycles of the choose work load in one process, and whether nothing disturbed it."""

    cycles: float
    quiet: bool = True


Timer = Callable[[Executable, int], Timing | Failure]
"""(executable, seed) -> its time, or why there is none."""


class CandidatePool:
    """Tunings that are the very same program run as one: the one chosen before, else the first. `before` is the place
    of that one, `known` the cycles of those timed in earlier races."""

    def __init__(
        self,
        candidates: Sequence[Executable],
        timer: Timer,
        draw: random.Random,
        earlier: PriorTimings,
        pace: Budget,
    ) -> None:
        self._candidates, self._timer, self._draw = candidates, timer, draw
        self._twins = _identical(candidates, earlier.chosen)
        self._seen: dict[int, list[Timing]] = {place: [] for place in self._twins}
        self._failed: dict[int, Failure] = {}
        self._doubt, self._patience = pace.doubt, pace.again
        self.before = next((p for p in self._twins if candidates[p].subject == earlier.chosen), None)
        known = {place: earlier.of(candidates[place]) for place in self._twins}
        self.known = {place: cycles for place, cycles in known.items() if cycles is not None}

    @property
    def indices(self) -> list[int]:
        return list(self._twins)

    def run(self, places: Iterable[int]) -> None:
        """Times each once, in random order."""
        for place in self._shuffled(places):
            self._time(place)

    def retime_unconfirmed(self, places: Iterable[int]) -> bool:
        """Times those that are doubtful once more, while there is patience; whether any was timed."""
        begin, taken = time.monotonic(), False
        for place in self._shuffled(self.unconfirmed(places)):
            if time.monotonic() - begin >= self._patience:
                break
            self._time(place)
            taken = True
        self._patience -= time.monotonic() - begin
        return taken

    def _shuffled(self, places: Iterable[int]) -> list[int]:
        order = list(places)
        self._draw.shuffle(order)
        return order

    def _time(self, place: int) -> None:
        result = self._timer(self._candidates[place], self._draw.getrandbits(48))
        if isinstance(result, Failure):
            self._failed[place] = result
        else:
            self._seen[place].append(result)

    def median_cycles(self, place: int) -> float:
        """The median of its quiet timings; without any its time in earlier races; else the median of all."""
        quiet = [timed.cycles for timed in self._seen[place] if timed.quiet]
        if not quiet and place in self.known:
            return self.known[place]
        return statistics.median(quiet or [timed.cycles for timed in self._seen[place]])

    def fastest_first(self, places: Iterable[int]) -> list[int]:
        """Those that have not failed, the fastest first."""
        return sorted((place for place in places if place not in self._failed), key=self.median_cycles)

    def best_cycles(self, places: Iterable[int]) -> float:
        """Cycles of the fastest of these that a quiet moment has shown; if there is none, of the fastest."""
        order = self.fastest_first(places)
        sure = [place for place in order if not self.is_unconfirmed(place)]
        return min(map(self.median_cycles, sure or order), default=math.inf)

    def unconfirmed(self, places: Iterable[int]) -> list[int]:
        """Those seen disturbed only, which a quiet moment may show to be ahead of all these."""
        limit = self._doubt * self.best_cycles(places)
        return [p for p in self.fastest_first(places) if self.is_unconfirmed(p) and self.median_cycles(p) <= limit]

    def is_unconfirmed(self, place: int) -> bool:
        """Whether no quiet moment has shown it, now or in earlier races."""
        return place not in self.known and not any(timed.quiet for timed in self._seen[place])

    def trials(self, winner: int | None) -> list[Trial]:
        """One for every candidate with a time: the chosen one first, then those timed most often."""
        found = [
            Trial(
                subject=self._candidates[twin].subject,
                cycles=self.median_cycles(place),
                timings=len(values),
                chosen=twin == winner,
            )
            for place, values in self._seen.items()
            if values or (place in self.known and place not in self._failed)
            for twin in self._twins[place]
        ]
        return sorted(found, key=lambda trial: (not trial.chosen, -trial.timings, trial.cycles))

    def failures(self) -> list[Failure]:
        """Of every candidate that failed under the clock."""
        return [
            replace(failure, subject=self._candidates[twin].subject)
            for place, failure in self._failed.items()
            for twin in self._twins[place]
        ]

    def confirmed(self) -> frozenset[Tuning]:
        """The candidates seen in a quiet moment, now or in earlier races."""
        sure = (place for place in self._twins if not self.is_unconfirmed(place))
        return frozenset(self._candidates[twin].subject for place in sure for twin in self._twins[place])


def _identical(candidates: Sequence[Executable], before: Tuning | None) -> dict[int, list[int]]:
    """Places of the same program by the one that runs for all."""
    groups: dict[Path, list[int]] = {}
    for place, candidate in enumerate(candidates):
        groups.setdefault(candidate.path, []).append(place)
    first = (next((p for p in group if candidates[p].subject == before), group[0]) for group in groups.values())
    return dict(zip(first, groups.values(), strict=True))
