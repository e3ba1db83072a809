# SPDX-License-Identifier: MIT OR Apache-2.0
"""Who is faster, and of whom that cannot be said."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cyclometer.analyse.estimate.cells import Cell


@dataclass(frozen=True, kw_only=True)
class Rank:
    """A place in a column: 1 is the fastest; all of a tie have its first place."""

    place: int
    shared: bool


@dataclass(frozen=True, kw_only=True)
class Spread:
    """How far the A/A control was from itself, as a ratio minus 1."""

    quiet: float  # over cells measured in quiet moments
    every: float  # over all cells; a disturbed one can be told from nothing nearer than this


def no_difference_seen(a: Cell, b: Cell, spread: Spread | None) -> bool:
    """Whether two cells differ by no more than the A/A control from itself, or their intervals overlap."""
    if a.cycles == b.cycles:
        return True
    if spread is not None and min(a.cycles, b.cycles) > 0:
        least = spread.every if a.disturbed or b.disturbed else spread.quiet
        if abs(math.log(a.cycles / b.cycles)) <= math.log1p(least):
            return True
    if a.interval is None or b.interval is None:
        return False
    return a.interval[0] <= b.interval[1] and b.interval[0] <= a.interval[1]


def ranks(column: Sequence[Cell], spread: Spread | None) -> list[Rank]:
    """The rank of each cell of a column, in the order given.

    A tie is made of its fastest and all from which that one cannot be told;
    being tied is not transitive, so the next that can be told begins a new rank.
    """
    order = sorted(range(len(column)), key=lambda index: column[index].cycles)
    groups: list[list[int]] = []
    for index in order:
        if groups and no_difference_seen(column[groups[-1][0]], column[index], spread):
            groups[-1].append(index)
        else:
            groups.append([index])
    found: dict[int, Rank] = {}
    for group in groups:
        place = len(found) + 1
        found |= {index: Rank(place=place, shared=len(group) > 1) for index in group}
    return [found[index] for index in range(len(column))]
