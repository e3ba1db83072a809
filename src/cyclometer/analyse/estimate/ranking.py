# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ranks with ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cyclometer.analyse.estimate.cells import Cell


@dataclass(frozen=True, kw_only=True)
class Rank:
    """A rank in a column: 1 is the fastest, and all cells of a tie have its first rank."""

    position: int
    shared: bool


NO_RANK = Rank(position=0, shared=False)
"""That of a number which is compared with no other."""


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The A/A spread, as a ratio minus 1."""

    quiet: float  # over undisturbed cells
    every: float  # over all cells; applies as soon as one of two is disturbed

    def of(self, *cells: Cell) -> float:
        """Return the spread that applies to these cells."""
        return self.every if any(cell.disturbed for cell in cells) else self.quiet


def no_difference_seen(a: Cell, b: Cell, spread: Spread | None) -> bool:
    """Return whether two cells tie: they differ by at most the A/A spread, or their intervals overlap."""
    if a.cycles == b.cycles:
        return True
    if spread is not None and min(a.cycles, b.cycles) > 0 and _ratio(a, b) <= 1 + spread.of(a, b):
        return True
    if a.interval is None or b.interval is None:
        return False
    return a.interval[0] <= b.interval[1] and b.interval[0] <= a.interval[1]


def _ratio(a: Cell, b: Cell) -> float:
    return max(a.cycles, b.cycles) / min(a.cycles, b.cycles)


def ranks(column: Sequence[Cell], spread: Spread | None) -> list[Rank]:
    """Return the rank of each cell of a column, in the order given.

    A tie consists of its fastest cell and all that tie with that one; ties are not transitive, so the next cell that
    does not begins a new rank.
    """
    order = sorted(range(len(column)), key=lambda index: column[index].cycles)
    groups: list[list[int]] = []
    for index in order:
        if groups and no_difference_seen(column[groups[-1][0]], column[index], spread):
            groups[-1].append(index)
        else:
            groups.append([index])
    result: dict[int, Rank] = {}
    for group in groups:
        position = len(result) + 1
        result |= {index: Rank(position=position, shared=len(group) > 1) for index in group}
    return [result[index] for index in range(len(column))]
