# SPDX-License-Identifier: MIT OR Apache-2.0
"""The standing of a class: what every run agrees on beyond its error.

A system beats another if it costs less in every run, by more than the error of that run. Its rank is 1 + the number
of systems that beat it. The rank counts if the runs say the same of it and every other system: less, more, or no
difference seen; and if enough operators and all machines have measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cyclometer.competition.files import Competition
from cyclometer.competition.operate import ClassResult
from cyclometer.workload.ranking import Entry, differs


@dataclass(frozen=True, kw_only=True)
class Place:
    """One system in a class."""

    system: str
    rank: int  # 0: it is not ranked
    shared: bool
    open: tuple[str, ...]  # why the rank does not count; empty: it does
    multiples: Mapping[str, float]  # operator/machine -> cost as a multiple of the best there
    of_baseline: float | None  # geometric mean over runs of the cost as a multiple of the baseline's
    bits: int | None
    excluded: str  # why it is not ranked, or ''

    @property
    def mean(self) -> float:
        """The geometric mean of the multiples; infinity without one."""
        return geometric_mean(list(self.multiples.values())) if self.multiples else math.inf


@dataclass(frozen=True, kw_only=True)
class Standing:
    """The places of one class, the best first, those that are not ranked last."""

    name: str
    places: tuple[Place, ...]
    results: tuple[ClassResult, ...]
    incomplete: str  # why no rank of the class counts, or ''


def standing(competition: Competition, name: str, results: Sequence[ClassResult]) -> Standing:
    """Return the standing of a class."""
    incomplete = _incomplete(competition, results)
    orders = Orders(results)
    places = [_place(competition, system, orders, incomplete) for system in competition.systems]
    places.sort(key=lambda place: (place.rank == 0, place.rank, place.mean, place.system))
    return Standing(name=name, places=tuple(places), results=tuple(results), incomplete=incomplete)


class Orders:
    """Who costs less, in each run."""

    def __init__(self, results: Sequence[ClassResult]) -> None:
        self.results = results
        self.entries: list[Mapping[str, Entry]] = [
            {entry.primitive.name: entry for entry in result.ranking.entries} for result in results
        ]

    def each(self, one: str, other: str) -> list[int | None]:
        """Return for each run -1 if `one` costs less, 1 if it costs more, 0 if no difference is seen; None: unknown."""
        return [self._order(index, one, other) for index in range(len(self.results))]

    def beats(self, one: str, other: str) -> bool:
        """Return whether one system costs less in every run."""
        found = self.each(one, other)
        return bool(found) and all(order == -1 for order in found)

    def ranked(self) -> list[str]:
        """Return the systems that at least one run ranks."""
        return sorted({name for entries in self.entries for name in entries})

    def _order(self, index: int, one: str, other: str) -> int | None:
        entries = self.entries[index]
        if one not in entries or other not in entries:
            return None
        costs = entries[one].counts, entries[other].counts
        if not differs(*costs, self.results[index].material.spread):
            return 0
        return -1 if costs[0].value < costs[1].value else 1


def _place(competition: Competition, system: str, orders: Orders, incomplete: str) -> Place:
    ranked = orders.ranked()
    excluded = "" if system in ranked else _excluded(system, orders.results)
    multiples, of_baseline, bits = {}, [], None
    for result, entries in zip(orders.results, orders.entries, strict=True):
        if system in entries:
            cost, best = entries[system].counts.value, min(entry.counts.value for entry in entries.values())
            multiples[result.place] = cost / best if best else 1.0
            bits = entries[system].bits
            if competition.baseline.system in entries:
                of_baseline.append(cost / (entries[competition.baseline.system].counts.value or 1))
    others = [other for other in ranked if other != system]
    rank = 0 if excluded else 1 + sum(orders.beats(other, system) for other in others)
    against = [other for other in others if not _agree(orders.each(system, other))]
    ties = [o for o in others if not orders.beats(o, system) and not orders.beats(system, o)]
    return Place(
        system=system,
        rank=rank,
        shared=bool(ties),
        open=() if excluded else tuple([incomplete] if incomplete else [f"against {other}" for other in against]),
        multiples=multiples,
        of_baseline=geometric_mean(of_baseline) if of_baseline else None,
        bits=bits,
        excluded=excluded,
    )


def _agree(orders: Sequence[int | None]) -> bool:
    return None not in orders and len(set(orders)) == 1


def _excluded(system: str, results: Sequence[ClassResult]) -> str:
    """Return the first reason that a run gives."""
    reasons = [dict(result.ranking.excluded).get(system, "") for result in results]
    return next(filter(None, reasons), "not measured")


def _incomplete(competition: Competition, results: Sequence[ClassResult]) -> str:
    operators = {result.operator for result in results}
    machines = {result.machine for result in results}
    if len(operators) < competition.operators:
        return f"{len(operators)} of {competition.operators} operators have measured"
    missing = [name for name in competition.machines if name not in machines]
    return f"{missing[0]} has not been measured" if missing else ""


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of positive values."""
    return math.exp(sum(map(math.log, values)) / len(values))


def moved(before: Standing, after: Standing) -> list[str]:
    """Return a line for each system whose security or place among the others changed between two standings."""
    lines = []
    old = {place.system: place for place in before.places}
    for place in after.places:
        was = old[place.system]
        if (was.bits, was.excluded) != (place.bits, place.excluded):
            lines.append(f"{after.name}: {place.system}: {_told(was)} -> {_told(place)}")
    return lines


def _told(place: Place) -> str:
    if place.excluded:
        return f"not ranked ({place.excluded})"
    bits = "" if place.bits is None else f", {place.bits} bits left"
    return f"rank {place.rank}{'=' if place.shared else ''}{bits}"
