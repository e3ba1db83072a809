# SPDX-License-Identifier: MIT OR Apache-2.0
"""A verdict in words: who is faster, from where on, and by how much."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cyclometer.analyse.comparison.crossovers import FIRST, UNDECIDED, Ordering
from cyclometer.analyse.estimate.estimators import Floats

MAX_POINTS_WITHOUT_EXCEPTIONS = 64
"""Points above which a few that say otherwise, amid others that agree, are exceptions and not a turn."""

_COST_OF_TURN = (0.4, 4.0)  # in points that say otherwise: up to that number, and beyond

_WIDE = 1.1  # greatest factor over smallest of a zone above which both are said


@dataclass(frozen=True, kw_only=True)
class Segment:
    """Neighbouring points with one verdict, but for exceptions. Both ends included."""

    begin: int  # index
    end: int
    sign: int
    exceptions: int


def segments(order: Ordering) -> list[Segment]:
    """Between the cut-offs the order does not turn: there it is decided or not; around each it is undecided."""
    if not len(order.lengths):
        return []
    settled = np.zeros(len(order.lengths), np.int8)
    for begin, end, sign in _pieces(order):
        settled[begin : end + 1] = _smoothed(order.verdicts[begin : end + 1], sign)
    edges = [0, *(np.flatnonzero(np.diff(settled)) + 1), len(settled)]
    return [
        Segment(
            begin=int(begin),
            end=int(end) - 1,
            sign=int(settled[begin]),
            exceptions=int(np.sum(order.verdicts[begin:end] != settled[begin])),
        )
        for begin, end in itertools.pairwise(edges)
    ]


def verdict(names: tuple[str, str], order: Ordering, ratios: Floats, unit: str) -> str:
    """One line. `ratios` are cycles of the second over those of the first, at each point."""
    found = segments(order)
    known = ratios[np.isfinite(ratios)]
    if not found or len(known) != len(order.lengths):
        return "no ratio can be told"
    claims = [_claim(names, zone, known) for zone in found]
    first, last = order.lengths[0], order.lengths[-1]
    if len(found) == 1:
        return claims[0] + (f" at all that was measured ({first} to {last} {unit})" if last > first else "")
    if len(found) == 2:
        return _two(found, claims, order, unit)
    places = [_place(order, zone, unit) for zone in found]
    return "; ".join(f"{claim} {place}" for claim, place in zip(claims, places, strict=True))


def _pieces(order: Ordering) -> Iterator[tuple[int, int, int]]:
    """(first index, last index, sign) of what lies between the undecided intervals around cut-offs."""
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
    """`sign` or UNDECIDED at each point, with few turns: the cheapest way, by dynamic programming.

    A point that says otherwise costs 1, a turn _COST_OF_TURN.
    """
    turn = _COST_OF_TURN[len(verdicts) > MAX_POINTS_WITHOUT_EXCEPTIONS]
    states = (sign, UNDECIDED)
    cost = np.array([[float(verdict != state) for state in states] for verdict in verdicts])
    came_from = np.zeros((len(verdicts), 2), np.int8)
    total = cost[0].copy()
    for place in range(1, len(verdicts)):
        switched = total[::-1] + turn
        came_from[place] = np.where(switched < total, (1, 0), (0, 1))
        total = np.minimum(total, switched) + cost[place]
    state = int(np.argmin(total))
    settled = np.empty(len(verdicts), np.int8)
    for place in range(len(verdicts) - 1, -1, -1):
        settled[place] = states[state]
        state = int(came_from[place][state])
    return settled


def _claim(names: tuple[str, str], zone: Segment, ratios: Floats) -> str:
    but = f" (but for {zone.exceptions} of {zone.end - zone.begin + 1})" if zone.exceptions else ""
    if zone.sign == UNDECIDED:
        return f"no difference seen{but}"
    here = ratios[zone.begin : zone.end + 1]
    factors = here if zone.sign == FIRST else 1 / here
    name = names[0] if zone.sign == FIRST else names[1]
    least, most = factors.min(), factors.max()
    span = f" ({least:.2f} to {most:.2f})" if most > _WIDE * least else ""
    return f"{name} is {np.median(factors):.2f} × faster{span}{but}"


def _two(found: list[Segment], claims: list[str], order: Ordering, unit: str) -> str:
    """What is decided comes first."""
    if found[1].sign != UNDECIDED:
        return f"{claims[1]} from {order.lengths[found[1].begin]} {unit} on; below, {claims[0]}"
    return f"{claims[0]} up to {order.lengths[found[0].end]} {unit}; above, {claims[1]}"


def _place(order: Ordering, zone: Segment, unit: str) -> str:
    begin, end = order.lengths[zone.begin], order.lengths[zone.end]
    if zone.begin == 0:
        return f"up to {end} {unit}"
    if zone.end == len(order.lengths) - 1:
        return f"from {begin} {unit} on"
    return f"at {begin} {unit}" if begin == end else f"from {begin} to {end} {unit}"
