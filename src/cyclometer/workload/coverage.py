# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which tuning of each system has been measured at every point that a workload needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from cyclometer.analyse.estimate.cell_source import Point
from cyclometer.analyse.estimate.comparability import Scope
from cyclometer.analyse.estimate.measurement_index import IndexEntry, MeasurementIndex
from cyclometer.records.rounds import RunKey
from cyclometer.records.tuning import Tuning


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """The tuning of one system that the newest run measured, the runs that have its points, and what is missing."""

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
    followed: Followed = (),
) -> dict[str, Coverage]:
    """Return the coverage of each primitive that the scope's runs measured on the machine.

    A tuning with all points is preferred to a newer one without, and among those one that was `followed`.
    """
    order = {(info.run, info.machine): number for number, info in enumerate(scope.infos)}
    entries: dict[Tuning, list[IndexEntry]] = {}
    for entry in index.entries:
        subject = entry.subject
        in_scope = entry.machine == machine and (entry.run, entry.machine) in order and not entry.control
        if in_scope and subject.operation == scope.operation and subject.primitive in primitives:
            entries.setdefault(subject, []).append(entry)
    best: dict[str, tuple[tuple[bool, bool, int], Coverage]] = {}
    for tuning, own in entries.items():
        coverage = _coverage(tuning, sorted(own, key=lambda e: -order[e.run, e.machine]), points, followed)
        newest = max(order[entry.run, entry.machine] for entry in own)
        rating = (not coverage.missing, coverage.followed, newest)
        if tuning.primitive not in best or rating > best[tuning.primitive][0]:
            best[tuning.primitive] = (rating, coverage)
    return {primitive: coverage for primitive, (_, coverage) in best.items()}


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
