# SPDX-License-Identifier: MIT OR Apache-2.0
"""Choosing with a timer that is a function of one executable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from cyclometer import choose as stage
from cyclometer.choose import DEFAULT, Budget, Selection, Timer, WantedTiming
from cyclometer.choose.cache import PriorTimings
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure
from cyclometer.records.tuning import Timing


class TimesOne(Protocol):
    """Times an executable once; with `quick` on the rest of the quick grid, too."""

    def __call__(self, candidate: Executable, seed: int, *, quick: bool) -> Timing | Failure: ...


def one_at_a_time(timer: TimesOne) -> Timer:
    def take(wanted: Iterable[WantedTiming]) -> Iterator[Timing | Failure]:
        for one in wanted:
            yield timer(one.executable, one.seed, quick=one.quick)

    return take


def choose(
    candidates: Sequence[Executable],
    timer: TimesOne,
    seed: int,
    prior: PriorTimings | None = None,
    budget: Budget = DEFAULT,
) -> Selection:
    return stage.choose(candidates, one_at_a_time(timer), seed, prior or PriorTimings(), budget)


def time_once(candidates: Sequence[Executable], timer: TimesOne, budget: Budget = DEFAULT) -> Selection:
    return stage.time_once(candidates, one_at_a_time(timer), 1, PriorTimings(), budget)
