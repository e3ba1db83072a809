# SPDX-License-Identifier: MIT OR Apache-2.0
"""An index of what was measured: which tunings in which runs, and at which points."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from cyclometer.analyse.estimate.comparability import Scope
from cyclometer.analyse.estimate.core_cycles import SUBJECT, VARIABLES
from cyclometer.records.tuning import Tuning

Points = Mapping[str, npt.NDArray[np.int64]]
"""By measure, the combinations of VARIABLES: (points, 4), each once, in order."""


@dataclass(frozen=True, kw_only=True)
class IndexEntry:
    """One tuning in one run, or its A/A twin."""

    run: str
    machine: str
    subject: Tuning
    control: bool
    points: Points


class MeasurementIndex:
    """The entries of some runs; the `empty` call is not included."""

    def __init__(self, entries: Iterable[IndexEntry]) -> None:
        self.entries = tuple(entries)

    @classmethod
    def of_samples(cls, connection: duckdb.DuckDBPyConnection) -> MeasurementIndex:
        """Index the samples behind the view `points`."""
        rows = connection.sql(
            f"SELECT run, machine, {SUBJECT}, control, measure, ad_length, keys, alignment, "
            "list_sort(list(DISTINCT length)) FROM points WHERE measure <> 'empty' GROUP BY ALL ORDER BY ALL"
        ).fetchall()
        tunings: dict[tuple[Any, ...], dict[str, list[Any]]] = {}
        for *tuning, measure, ad_length, keys, alignment, lengths in rows:
            lines = tunings.setdefault(tuple(tuning), {}).setdefault(measure, [])
            lines.append([ad_length, keys, alignment, lengths])
        grids: dict[str, Points] = {}
        for lines_by_measure in tunings.values():
            grids.setdefault(json.dumps(lines_by_measure), _grid(lines_by_measure))
        return cls(_entry(tuning, grids[json.dumps(lines_by_measure)]) for tuning, lines_by_measure in tunings.items())

    @classmethod
    def merged(cls, parts: Iterable[MeasurementIndex]) -> MeasurementIndex:
        """Combine several indices."""
        return cls(entry for part in parts for entry in part.entries)

    def dump(self) -> dict[str, Any]:
        """Return JSON values, in which tunings with the same points share a grid."""
        grids: dict[int, int] = {}
        lines: list[Any] = []
        entries = []
        for entry in self.entries:
            if id(entry.points) not in grids:
                grids[id(entry.points)] = len(grids)
                lines.append({measure: _lines(points) for measure, points in entry.points.items()})
            subject = entry.subject
            names = [subject.operation, subject.primitive, subject.implementation, subject.compiler]
            entries.append([entry.run, entry.machine, *names, entry.control, grids[id(entry.points)]])
        return {"entries": entries, "grids": lines}

    @classmethod
    def load(cls, dumped: Mapping[str, Any]) -> MeasurementIndex:
        """Restore the index from what `dump` returned."""
        grids = [_grid(lines) for lines in dumped["grids"]]
        return cls(_entry(tuning, grids[grid]) for *tuning, grid in dumped["entries"])

    def systems(self) -> dict[str, list[str]]:
        """Return operation -> primitives, sorted."""
        pairs = sorted({(entry.subject.operation, entry.subject.primitive) for entry in self.entries})
        result: dict[str, list[str]] = {}
        for operation, primitive in pairs:
            result.setdefault(operation, []).append(primitive)
        return result

    def measures(self, operation: str) -> list[str]:
        """Return the measures of one operation, sorted."""
        own_points = [entry.points for entry in self.entries if entry.subject.operation == operation]
        return sorted({measure for points in own_points for measure in points})

    def values(self, variable: str, measures: Collection[str] = ()) -> set[int]:
        """Return all values of a variable, such as length, at which one of these measures (none: any) was taken."""
        column = VARIABLES.index(variable)
        return {int(n) for points in self._grids(measures) for n in np.unique(points[:, column])}

    def has_on_both_sides(self, length: int, measures: Collection[str] = ()) -> bool:
        """Return whether one of these measures (none: any) was taken at a shorter and a longer length."""
        ends = [(points[:, 0].min(), points[:, 0].max()) for points in self._grids(measures)]
        return any(shortest < length < longest for shortest, longest in ends)

    def _grids(self, measures: Collection[str]) -> list[npt.NDArray[np.int64]]:
        grids = {id(entry.points): entry.points for entry in self.entries}
        several = [(measure, points) for grid in grids.values() for measure, points in grid.items()]
        return [points for measure, points in several if not measures or measure in measures]

    def points(self, scope: Scope, primitives: Collection[str] | None) -> Points:
        """Return the points at which these primitives (None: all) were measured in the scope, without controls."""
        runs = {(info.run, info.machine) for info in scope.infos}
        grids: dict[int, Points] = {}
        for entry in self.entries:
            is_requested = primitives is None or entry.subject.primitive in primitives
            in_scope = entry.subject.operation == scope.operation and (entry.run, entry.machine) in runs
            if is_requested and in_scope and not entry.control:
                grids[id(entry.points)] = entry.points
        parts: dict[str, dict[bytes, npt.NDArray[np.int64]]] = {}
        for grid in grids.values():
            for measure, points in grid.items():
                parts.setdefault(measure, {})[points.tobytes()] = points
        return {measure: _merged(list(distinct.values())) for measure, distinct in parts.items()}


def _entry(tuning: Sequence[Any], points: Points) -> IndexEntry:
    run, machine, operation, primitive, implementation, compiler, control = tuning
    return IndexEntry(
        run=run,
        machine=machine,
        subject=Tuning(operation=operation, primitive=primitive, implementation=implementation, compiler=compiler),
        control=control,
        points=points,
    )


def _grid(lines: Mapping[str, Sequence[Any]]) -> Points:
    return {measure: _points(own_lines) for measure, own_lines in lines.items()}


def _points(lines: Sequence[Sequence[Any]]) -> npt.NDArray[np.int64]:
    """Convert (ad_length, keys, alignment, lengths) to rows of VARIABLES."""
    parts = []
    for ad_length, keys, alignment, lengths in lines:
        part = np.empty((len(lengths), len(VARIABLES)), np.int64)
        part[:, 0], part[:, 1:] = lengths, (ad_length, keys, alignment)
        parts.append(part)
    return _merged(parts)


def _lines(points: npt.NDArray[np.int64]) -> list[Any]:
    rest, group = np.unique(points[:, 1:], axis=0, return_inverse=True)
    lengths = points[:, 0]
    return [[*row.tolist(), lengths[group.reshape(-1) == index].tolist()] for index, row in enumerate(rest)]


def _merged(parts: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    points = np.concatenate(parts)
    ordered = points[np.lexsort(points.T[::-1])]
    is_new = np.ones(len(ordered), bool)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return ordered[is_new]
