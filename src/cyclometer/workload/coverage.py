# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which tunings of each system have been measured at every point that a workload needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from cyclometer.analyse.estimate.comparability import Scope
from cyclometer.analyse.estimate.measurement_index import IndexEntry, MeasurementIndex
from cyclometer.records.grid import Point
from cyclometer.records.rounds import RunKey
from cyclometer.records.tuning import Tuning


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """A tuning of one system, the runs that have its points, the newest first, and what is missing."""

    tuning: Tuning
    runs: tuple[RunKey, ...]  # the newest first
    missing: frozenset[Point]
    followed: bool = False  # one of the runs says whether its time depends on secrets


Followed = Collection[tuple[RunKey, Tuning]]
"""The tunings whose secrets were followed, by run."""


def cover(
    index: MeasurementIndex,
    scope: Scope,
    machine: str,
    primitives: Collection[str],
    points: Collection[Point],
    *,
    wished: Collection[Point] = (),
    followed: Followed = (),
) -> dict[str, list[Coverage]]:
    """Return the tunings of each primitive that serve best, the newest first, from the scope's runs of the machine.

    Those with all points serve best; among them those that were `followed`, then those that have the `wished` points,
    too. Of a primitive without a tuning that has all points, the newest is returned.
    """
    order = {(info.run, info.machine): number for number, info in enumerate(scope.infos)}
    entries: dict[Tuning, list[IndexEntry]] = {}
    for entry in index.entries:
        subject = entry.subject
        in_scope = entry.machine == machine and (entry.run, entry.machine) in order and not entry.control
        if in_scope and subject.operation == scope.operation and subject.primitive in primitives:
            entries.setdefault(subject, []).append(entry)
    rated: dict[str, list[tuple[_Rating, int, Coverage]]] = {}
    for tuning, own in entries.items():
        newest_first = sorted(own, key=lambda e: -order[e.run, e.machine])
        rating, coverage = _rated(tuning, newest_first, points, wished, followed)
        newest = order[newest_first[0].run, newest_first[0].machine]
        rated.setdefault(tuning.primitive, []).append((rating, newest, coverage))
    return {primitive: _best(several) for primitive, several in rated.items()}


_Rating = tuple[bool, bool, bool]
"""Whether all points are there, whether the secrets were followed, and whether the wished points are there, too."""


def _best(rated: Sequence[tuple[_Rating, int, Coverage]]) -> list[Coverage]:
    best = max(rating for rating, _, _ in rated)
    found = [(newest, coverage) for rating, newest, coverage in rated if rating == best]
    newest_first = [coverage for _, coverage in sorted(found, key=lambda each: -each[0])]
    return newest_first if best[0] else newest_first[:1]


def _rated(
    tuning: Tuning,
    entries: list[IndexEntry],
    points: Collection[Point],
    wished: Collection[Point],
    followed: Followed,
) -> tuple[_Rating, Coverage]:
    coverage = _coverage(tuning, entries, {*points, *wished}, followed)
    is_wished = not coverage.missing
    if coverage.missing:
        coverage = _coverage(tuning, entries, points, followed)
    return (not coverage.missing, coverage.followed, is_wished), coverage


def _coverage(tuning: Tuning, entries: list[IndexEntry], points: Collection[Point], followed: Followed) -> Coverage:
    """Take runs, the newest first, until every point is covered."""
    missing, runs = set(points), []
    for entry in entries:
        found = _measured(missing, entry.points)
        if found:
            runs.append((entry.run, entry.machine))
            missing -= found
    return Coverage(
        tuning=tuning,
        runs=tuple(runs),
        missing=frozenset(missing),
        followed=any((run, tuning) in followed for run in runs),
    )


def _measured(points: Collection[Point], measured: Mapping[str, object]) -> set[Point]:
    found: set[Point] = set()
    for measure in {str(point[0]) for point in points} & measured.keys():
        rows = set(map(tuple, measured[measure].tolist()))  # type: ignore[attr-defined]
        found |= {point for point in points if point[0] == measure and point[1:] in rows}
    return found
