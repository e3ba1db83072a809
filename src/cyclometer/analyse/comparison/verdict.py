# SPDX-License-Identifier: MIT OR Apache-2.0
"""The verdict in words: which side is faster, from which value on, and by what factor."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cyclometer.analyse.comparison.crossovers import FIRST, UNDECIDED, Ordering
from cyclometer.analyse.estimate.estimators import Floats

MAX_POINTS_WITHOUT_EXCEPTIONS = 64
"""Points above which a few that disagree with their neighbours are exceptions, not changes of the order."""

_COST_OF_CHANGE = (0.4, 4.0)  # in disagreeing points: up to that number of points, and above

_WIDE_RANGE = 1.1  # ratio of largest to smallest factor above which both are printed


@dataclass(frozen=True, kw_only=True)
class Segment:
    """Neighbouring points with one verdict, apart from exceptions; both ends included."""

    begin: int  # index
    end: int
    sign: int
    exceptions: int


def segments(order: Ordering) -> list[Segment]:
    """Divide the points into decided and undecided segments: the order changes only at crossovers."""
    if not len(order.lengths):
        return []
    smoothed = np.zeros(len(order.lengths), np.int8)
    for begin, end, sign in _decided_parts(order):
        smoothed[begin : end + 1] = _smoothed(order.verdicts[begin : end + 1], sign)
    edges = [0, *(np.flatnonzero(np.diff(smoothed)) + 1), len(smoothed)]
    return [
        Segment(
            begin=int(begin),
            end=int(end) - 1,
            sign=int(smoothed[begin]),
            exceptions=int(np.sum(order.verdicts[begin:end] != smoothed[begin])),
        )
        for begin, end in itertools.pairwise(edges)
    ]


def verdict(names: tuple[str, str], order: Ordering, ratios: Floats, unit: str) -> str:
    """Return the verdict in one line.

    `ratios` are cycles of the second over those of the first, at each point.
    """
    parts = segments(order)
    finite = ratios[np.isfinite(ratios)]
    if not parts or len(finite) != len(order.lengths):
        return "no factor: one of them takes no measurable time"
    claims = [_claim(names, segment, finite) for segment in parts]
    first, last = order.lengths[0], order.lengths[-1]
    if len(parts) == 1:
        return claims[0] + (f" over the whole range measured ({first} to {last} {unit})" if last > first else "")
    if len(parts) == 2:
        return _two(parts, claims, order, unit)
    ranges = [_range(order, segment, unit) for segment in parts]
    return "; ".join(f"{claim} {where}" for claim, where in zip(claims, ranges, strict=True))


def _decided_parts(order: Ordering) -> Iterator[tuple[int, int, int]]:
    """Yield (first index, last index, sign) of the parts between the undecided intervals around crossovers."""
    begin = 0
    sign = order.cutoffs[0].faster_below if order.cutoffs else _majority(order)
    for cutoff in order.cutoffs:
        yield begin, int(np.searchsorted(order.lengths, cutoff.low)), sign
        begin, sign = int(np.searchsorted(order.lengths, cutoff.high)), cutoff.faster_above
    yield begin, len(order.lengths) - 1, sign


def _majority(order: Ordering) -> int:
    total = int(np.sum(order.verdicts))
    return int(np.sign(total)) or FIRST


def _smoothed(verdicts: np.typing.NDArray[np.int8], sign: int) -> np.typing.NDArray[np.int8]:
    """Return `sign` or UNDECIDED at each point, with few changes: the cheapest sequence, by dynamic programming.

    A point that disagrees costs 1, a change _COST_OF_CHANGE.
    """
    change_cost = _COST_OF_CHANGE[len(verdicts) > MAX_POINTS_WITHOUT_EXCEPTIONS]
    states = (sign, UNDECIDED)
    cost = np.array([[float(verdict != state) for state in states] for verdict in verdicts])
    came_from = np.zeros((len(verdicts), 2), np.int8)
    total = cost[0].copy()
    for index in range(1, len(verdicts)):
        switched = total[::-1] + change_cost
        came_from[index] = np.where(switched < total, (1, 0), (0, 1))
        total = np.minimum(total, switched) + cost[index]
    state = int(np.argmin(total))
    smoothed = np.empty(len(verdicts), np.int8)
    for index in range(len(verdicts) - 1, -1, -1):
        smoothed[index] = states[state]
        state = int(came_from[index][state])
    return smoothed


def _claim(names: tuple[str, str], segment: Segment, ratios: Floats) -> str:
    exceptions = f" (except at {segment.exceptions} of {segment.end - segment.begin + 1})" if segment.exceptions else ""
    if segment.sign == UNDECIDED:
        return f"no difference seen{exceptions}"
    ratios_here = ratios[segment.begin : segment.end + 1]
    factors = ratios_here if segment.sign == FIRST else 1 / ratios_here
    name = names[0] if segment.sign == FIRST else names[1]
    least, most = factors.min(), factors.max()
    span = f" ({least:.2f} to {most:.2f})" if most > _WIDE_RANGE * least else ""
    return f"{name} is {np.median(factors):.2f} × faster{span}{exceptions}"


def _two(parts: list[Segment], claims: list[str], order: Ordering, unit: str) -> str:
    """Join two claims, the decided one first."""
    if parts[1].sign != UNDECIDED:
        return f"{claims[1]} {_range(order, parts[1], unit)}; below, {claims[0]}"
    return f"{claims[0]} {_range(order, parts[0], unit)}; above, {claims[1]}"


def _range(order: Ordering, segment: Segment, unit: str) -> str:
    begin, end = order.lengths[segment.begin], order.lengths[segment.end]
    if segment.end == len(order.lengths) - 1:
        return f"from {begin} {unit} on"
    if begin == end:
        return f"at {begin} {unit}"
    return f"from {begin} to {end} {unit}" if segment.begin else f"up to {end} {unit}"
