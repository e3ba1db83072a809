# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pairs of systems of which one is faster on some machines and slower on others; ties excepted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cyclometer.analyse.across.gather import AcrossOperation, Bools, Floats, Point


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """Two systems at one point: `first` is faster on the machines `ahead`, slower on those `behind`."""

    point: Point
    first: str
    second: str
    ahead: tuple[str, ...]  # the clearest first
    behind: tuple[str, ...]
    ties: int  # machines on which no difference is seen
    best: float  # cycles of `second` over those of `first` where `first` is ahead most
    worst: float  # cycles of `first` over those of `second` where it is behind most

    @property
    def strength(self) -> float:
        """The smaller of both ratios: how clear the disagreement is."""
        return min(self.best, self.worst)


def differing_orders(operation: AcrossOperation) -> list[Disagreement]:
    """Return every pair, at every point, whose order differs by machine, the clearest first.

    A difference counts as in rankings: beyond the A/A spread of its machine, and with intervals that do not overlap.
    Imported machines take part, as each order is within one machine.
    """
    found = []
    for number, point in enumerate(operation.points):
        cycles = np.where(operation.cycles[number] > 0, operation.cycles[number], np.nan)
        faster = faster_than(cycles, operation.low[number], operation.high[number], operation.spread[number])
        wins = faster.sum(axis=2)
        measured = np.isfinite(cycles)
        together = (measured[:, None] & measured[None, :]).sum(axis=2)
        for a, b in zip(*np.nonzero(np.triu((wins > 0) & (wins.T > 0), 1)), strict=True):
            ratios = cycles[b] / cycles[a]
            ahead, behind = np.flatnonzero(faster[a, b]), np.flatnonzero(faster[b, a])
            ahead, behind = ahead[np.argsort(-ratios[ahead])], behind[np.argsort(ratios[behind])]
            found.append(
                Disagreement(
                    point=point,
                    first=operation.systems[a],
                    second=operation.systems[b],
                    ahead=tuple(operation.machines[machine] for machine in ahead),
                    behind=tuple(operation.machines[machine] for machine in behind),
                    ties=int(together[a, b] - len(ahead) - len(behind)),
                    best=float(ratios[ahead[0]]),
                    worst=float(1 / ratios[behind[0]]),
                )
            )
    return sorted(found, key=lambda each: (-each.strength, each.first, each.second, each.point.length))


def faster_than(cycles: Floats, low: Floats, high: Floats, spread: Floats) -> Bools:
    """Return system × system × machine: whether the first is seen to be faster than the second on that machine.

    `cycles`, `low` and `high` are system × machine, `spread` is one ratio minus 1 for each machine.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        logs = np.log(cycles)
        apart = logs[:, None] - logs[None, :] < -np.log1p(spread)
        separate = ~(high[:, None] >= low[None, :])  # True where an interval is unknown
    return np.asarray(apart & separate)
