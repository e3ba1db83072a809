# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which cells a view needs: its tables before ties and units are computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cyclometer.analyse.estimate.cell_source import CellSource
from cyclometer.analyse.estimate.cells import Cell, per_key
from cyclometer.analyse.estimate.comparability import Scope, one_of
from cyclometer.analyse.estimate.core_cycles import VARIABLES
from cyclometer.analyse.estimate.interpolation import Lines, interpolate
from cyclometer.analyse.estimate.measurement_index import Points
from cyclometer.analyse.tables.views import TableOptions, View, columns_to_show, is_variable, pinned
from cyclometer.records.grid import Point


@dataclass(frozen=True, kw_only=True)
class TablePlan:
    """The cells of one table and the keys of its columns, in order."""

    view: View
    scope: Scope
    measures: tuple[str, ...]
    fixed: Mapping[str, int]  # the variables that are the same in the whole table
    machines: tuple[str, ...]
    columns: tuple[int | str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True)
class _ViewPlan:
    """The part of a plan that is common to all machines."""

    view: View
    measures: tuple[str, ...]
    fixed: Mapping[str, int]
    columns: tuple[int | str, ...]

    @property
    def points(self) -> list[Point]:
        """Return the points of its cells."""
        variable = self.view.columns if is_variable(self.view.columns) else ""
        values = [{**self.fixed, variable: int(value)} for value in self.columns] if variable else [self.fixed]
        return [
            (measure, *(variables[name] for name in VARIABLES)) for measure in self.measures for variables in values
        ]


def plan_tables(
    source: CellSource, scope: Scope, views: Sequence[View], options: TableOptions
) -> list[list[TablePlan]]:
    """Plan the tables of each view: one for each measure, machine and pinned length that is not a column."""
    primitives = requested_systems(scope, options)
    sampled = source.inventory.points(scope, primitives)
    lines = Lines(sampled) if options.lengths else None
    sampled = lines.with_lengths(options.lengths) if lines else sampled
    plans = [list(_view_plans(view, options, sampled)) for view in views]
    points = {point for view_plans in plans for plan in view_plans for point in plan.points}
    parts = {point: lines.parts(point) for point in points} if lines else {}
    needed = points.union(part for several in parts.values() for part, _ in several)
    cells: dict[Point, list[Cell]] = {}
    for cell in source.cells(scope, sorted(needed), primitives) if needed else []:
        cells.setdefault((cell.measure, *cell.variables.values()), []).append(cell)
    between = {point: interpolate(cells, point, several) for point, several in parts.items()}
    for point, several in between.items():
        cells.setdefault(point, []).extend(several)
    return [
        [table_plan for plan in view_plans for table_plan in _table_plans(plan, scope, cells)] for view_plans in plans
    ]


def requested_systems(scope: Scope, options: TableOptions) -> list[str] | None:
    """Return the requested primitives of the scope's operation; None means all."""
    if not options.systems:
        return None
    return [system.partition("/")[2] for system in options.systems if system.startswith(f"{scope.operation}/")]


def of_systems(scope: Scope, options: TableOptions) -> str:
    """Return the SQL condition that keeps the requested systems."""
    names = requested_systems(scope, options)
    return "true" if names is None else one_of("primitive", names)


def _view_plans(view: View, options: TableOptions, sampled: Points) -> Iterable[_ViewPlan]:
    for measures in _measure_groups(view, options):
        points_measured = [sampled[measure] for measure in measures if measure in sampled]
        for pinned_values in pinned(view, options):
            points = (
                _agreeing(np.concatenate(points_measured), pinned_values)
                if points_measured
                else np.empty((0, len(VARIABLES)), np.int64)
            )
            if not len(points):
                continue
            fixed = _fix_variables(points, pinned_values, view.columns)
            columns: tuple[int | str, ...] = measures
            if is_variable(view.columns):
                values = np.unique(_agreeing(points, fixed)[:, VARIABLES.index(view.columns)])
                columns = tuple(columns_to_show(view, values.tolist(), options))
            if columns == (1,) and view.columns == "keys" in options.requested:
                continue  # other tables show a single key
            if view.columns == "ad_length" and len(columns) == 1 and not options.ad_lengths:
                continue  # other tables show what was measured with one length of associated data
            yield _ViewPlan(view=view, measures=measures, fixed=fixed, columns=columns)


def _table_plans(plan: _ViewPlan, scope: Scope, cells: Mapping[Point, Sequence[Cell]]) -> Iterable[TablePlan]:
    plan_cells = [per_key(cell, plan.view.per) for point in plan.points for cell in cells.get(point, [])]
    by_machine = plan.view.columns == "machine"
    for machines in [tuple(scope.machines)] if by_machine else [(name,) for name in scope.machines]:
        machine_cells = tuple(cell for cell in plan_cells if cell.machine in machines)
        if machine_cells:
            yield TablePlan(
                view=plan.view,
                scope=scope,
                measures=plan.measures,
                fixed=plan.fixed,
                machines=machines,
                columns=machines if by_machine else plan.columns,
                cells=machine_cells,
            )


def _measure_groups(view: View, options: TableOptions) -> list[tuple[str, ...]]:
    """Return groups of measures that share a table: all if measures are the columns, else each alone."""
    measures = [measure for measure in view.measures if not options.measures or measure in options.measures]
    return [tuple(measures)] if view.columns == "measure" else [(measure,) for measure in measures]


def _fix_variables(points: npt.NDArray[np.int64], pinned_values: Mapping[str, int], variable: str) -> dict[str, int]:
    """Fix all variables except the one of the columns.

    A variable is pinned, or takes the smallest value sampled together with those fixed before.
    """
    fixed = dict(pinned_values)
    for index, name in enumerate(VARIABLES):
        if name != variable and name not in fixed:
            fixed[name] = int(_agreeing(points, fixed)[:, index].min())
    return fixed


def _agreeing(points: npt.NDArray[np.int64], fixed: Mapping[str, int]) -> npt.NDArray[np.int64]:
    """Return the points that have the given values."""
    for name, value in fixed.items():
        points = points[points[:, VARIABLES.index(name)] == value]
    return points
