# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which things are read in one query: each takes at least fifty milliseconds, and memory must not hold all timings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

SAMPLES_PER_QUERY = 50_000

Thing = TypeVar("Thing")


def read_together(things: Iterable[Thing], samples_of: Callable[[Thing], int]) -> Iterator[list[Thing]]:
    """Yield groups of neighbours with at most SAMPLES_PER_QUERY samples, or single things."""
    group: list[Thing] = []
    samples = 0
    for thing in things:
        count = samples_of(thing)
        if group and samples + count > SAMPLES_PER_QUERY:
            yield group
            group, samples = [], 0
        group.append(thing)
        samples += count
    if group:
        yield group
