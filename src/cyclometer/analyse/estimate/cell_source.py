# SPDX-License-Identifier: MIT OR Apache-2.0
"""The sources of a table's cells: the samples of some runs, or cached cells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Protocol

import duckdb

from cyclometer.analyse.estimate.aa_control import Spreads, control_spreads
from cyclometer.analyse.estimate.calibration import calibration_of
from cyclometer.analyse.estimate.cells import Cell, cells, summarise
from cyclometer.analyse.estimate.comparability import Scope, core_cycles_a_second, one_of, overhead_of, quoted
from cyclometer.analyse.estimate.core_cycles import VARIABLES
from cyclometer.analyse.estimate.measurement_index import MeasurementIndex
from cyclometer.records.grid import Point
from cyclometer.records.run import RunInfo
from cyclometer.records.table import Calibration

_Names = tuple[tuple[str, str], ...]  # of runs: name and machine
_Runs = tuple[str, _Names]  # of an operation


class CellSource(Protocol):
    """What tables need from a source of cells."""

    @property
    def inventory(self) -> MeasurementIndex:
        """Return the index of what was measured."""

    def cells(self, scope: Scope, points: Collection[Point], primitives: Sequence[str] | None) -> list[Cell]:
        """Return the cells of the scope at these points, without controls; None as primitives means all."""

    def spreads(self, scope: Scope) -> Spreads:
        """Return the A/A spreads."""

    def overhead(self, scope: Scope, machine: str) -> float | None:
        """Return the median overhead of a timing, in counter units."""

    def calibration(self, scope: Scope, machine: str) -> Calibration | None:
        """Return the error of code of known cost; None if the runs have no calibration."""

    def clock(self, info: RunInfo) -> float | None:
        """Return the core cycles per second during a run; None if unknown."""


class SampleSource:
    """The samples themselves, in a database with the views of `store.connect` and the tables of `prepare`.

    What holds for all systems of some runs is computed once.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        self._spreads: dict[_Runs, Spreads] = {}
        self._overheads: dict[tuple[_Runs, str], float | None] = {}
        self._calibrations: dict[tuple[_Names, str], Calibration | None] = {}

    @cached_property
    def inventory(self) -> MeasurementIndex:
        """Return the index of what was measured."""
        return MeasurementIndex.of_samples(self.connection)

    @cached_property
    def has_placement(self) -> bool:
        """Return whether anything was measured in another placement than the usual one."""
        return bool(self.connection.sql("SELECT 1 FROM placed LIMIT 1").fetchall())

    def cells(self, scope: Scope, points: Collection[Point], primitives: Sequence[str] | None) -> list[Cell]:
        """Return the cells of the scope at these points, without controls."""
        if not points:
            return []
        # A condition on each column by itself lets the reader skip row groups; then the points are exact.
        names = ("measure", *VARIABLES)
        where = ["NOT control", scope.sql(), "true" if primitives is None else one_of("primitive", primitives)]
        where += [
            one_of(name, sorted(set(values))) for name, values in zip(names, zip(*points, strict=True), strict=True)
        ]
        literals = ", ".join(_literal(point) for point in points)
        where.append(f"({', '.join(names)}) IN ({literals})")
        return cells(summarise(self.connection, " AND ".join(where)))

    def spreads(self, scope: Scope) -> Spreads:
        """Return the A/A spreads."""
        key = _runs(scope)
        if key not in self._spreads:
            self._spreads[key] = control_spreads(self.connection, scope)
        return self._spreads[key]

    def overhead(self, scope: Scope, machine: str) -> float | None:
        """Return the median overhead of a timing, in counter units."""
        key = _runs(scope), machine
        if key not in self._overheads:
            self._overheads[key] = overhead_of(self.connection, scope, machine)
        return self._overheads[key]

    def calibration(self, scope: Scope, machine: str) -> Calibration | None:
        """Return the error of code of known cost, whatever the operation."""
        key = _runs(scope)[1], machine
        if key not in self._calibrations:
            self._calibrations[key] = calibration_of(self.connection, scope, machine)
        return self._calibrations[key]

    def clock(self, info: RunInfo) -> float | None:
        """Return the core cycles per second during a run."""
        return core_cycles_a_second(self.connection, info)


def _runs(scope: Scope) -> _Runs:
    return scope.operation, tuple((info.run, info.machine) for info in scope.infos)


def _literal(values: Point) -> str:
    return f"({', '.join(quoted(value) if isinstance(value, str) else str(value) for value in values)})"
