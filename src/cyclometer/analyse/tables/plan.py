# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which cells a view needs: its tables before anything is computed about ties and units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cyclometer.analyse.estimate.cell_source import CellSource, Point
from cyclometer.analyse.estimate.cells import Cell, per_key
from cyclometer.analyse.estimate.comparability import Scope, one_of
from cyclometer.analyse.estimate.core_cycles import VARIABLES
from cyclometer.analyse.estimate.measurement_index import Points
from cyclometer.analyse.tables.views import TableOptions, View, columns_to_show, is_variable, pinned


@dataclass(frozen=True, kw_only=True)
class TablePlan:
    """One table's cells and the keys of its columns in order."""

    view: View
    scope: Scope
    measures: tuple[str, ...]
    fixed: Mapping[str, int]  # the variables that are the same in the whole table
    machines: tuple[str, ...]
    columns: tuple[int | str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """The drafts of one view that differ by machine alone."""

    view: View
    measures: tuple[str, ...]
    fixed: Mapping[str, int]
    columns: tuple[int | str, ...]

    @property
    def points(self) -> list[Point]:
        """Of its cells."""
        running = self.view.columns if is_variable(self.view.columns) else ""
        values = [{**self.fixed, running: int(value)} for value in self.columns] if running else [self.fixed]
        return [(measure, *(known[name] for name in VARIABLES)) for measure in self.measures for known in values]


def plan_tables(
    source: CellSource, scope: Scope, views: Sequence[View], options: TableOptions
) -> list[list[TablePlan]]:
    """The tables of each view: one for each measure, machine and pinned length that is not a column."""
    primitives = requested_systems(scope, options)
    sampled = source.inventory.points(scope, primitives)
    plans = [list(_plans(view, options, sampled)) for view in views]
    points = {point for several in plans for plan in several for point in plan.points}
    found: dict[Point, list[Cell]] = {}
    for cell in source.cells(scope, sorted(points), primitives) if points else []:
        found.setdefault((cell.measure, *cell.variables.values()), []).append(cell)
    return [[draft for plan in several for draft in _drafts(plan, scope, found)] for several in plans]


def requested_systems(scope: Scope, options: TableOptions) -> list[str] | None:
    """Of the scope's operation; None without a wish: all."""
    if not options.systems:
        return None
    return [system.partition("/")[2] for system in options.systems if system.startswith(f"{scope.operation}/")]


def of_systems(scope: Scope, options: TableOptions) -> str:
    """The SQL condition that keeps the systems wished for."""
    names = requested_systems(scope, options)
    return "true" if names is None else one_of("primitive", names)


def _plans(view: View, options: TableOptions, sampled: Points) -> Iterable[_Plan]:
    for measures in _together(view, options):
        there = [sampled[measure] for measure in measures if measure in sampled]
        for pins in pinned(view, options):
            here = _agreeing(np.concatenate(there), pins) if there else np.empty((0, len(VARIABLES)), np.int64)
            if not len(here):
                continue
            fixed = _settle(here, pins, view.columns)
            columns: tuple[int | str, ...] = measures
            if is_variable(view.columns):
                values = np.unique(_agreeing(here, fixed)[:, VARIABLES.index(view.columns)])
                columns = tuple(columns_to_show(view, values.tolist(), options))
            if columns == (1,) and view.columns == "keys" in options.requested:
                continue  # a single key is what other tables are about
            yield _Plan(view=view, measures=measures, fixed=fixed, columns=columns)


def _drafts(plan: _Plan, scope: Scope, found: Mapping[Point, Sequence[Cell]]) -> Iterable[TablePlan]:
    mine = [per_key(cell, plan.view.per) for point in plan.points for cell in found.get(point, [])]
    by_machine = plan.view.columns == "machine"
    for machines in [tuple(scope.machines)] if by_machine else [(name,) for name in scope.machines]:
        here = tuple(cell for cell in mine if cell.machine in machines)
        if here:
            yield TablePlan(
                view=plan.view,
                scope=scope,
                measures=plan.measures,
                fixed=plan.fixed,
                machines=machines,
                columns=machines if by_machine else plan.columns,
                cells=here,
            )


def _together(view: View, options: TableOptions) -> list[tuple[str, ...]]:
    """Measures that share a table: all where they are the columns, else each has its own."""
    measures = [measure for measure in view.measures if not options.measures or measure in options.measures]
    return [tuple(measures)] if view.columns == "measure" else [(measure,) for measure in measures]


def _settle(points: npt.NDArray[np.int64], pins: Mapping[str, int], running: str) -> dict[str, int]:
    """All variables but the running one: pinned, else the smallest sampled together with those before."""
    fixed = dict(pins)
    for place, name in enumerate(VARIABLES):
        if name != running and name not in fixed:
            fixed[name] = int(_agreeing(points, fixed)[:, place].min())
    return fixed


def _agreeing(points: npt.NDArray[np.int64], fixed: Mapping[str, int]) -> npt.NDArray[np.int64]:
    """Those that have the values given; of a full run there are tens of thousands."""
    for name, value in fixed.items():
        points = points[points[:, VARIABLES.index(name)] == value]
    return points
