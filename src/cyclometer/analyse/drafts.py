# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which cells a view needs: its tables before anything is computed about ties and units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import duckdb

from cyclometer.analyse.cells import Cell, cells, shared_out, summarise
from cyclometer.analyse.samples import VARIABLES
from cyclometer.analyse.scope import Scope, one_of
from cyclometer.analyse.views import View, Wishes, columns_to_show, is_variable, pinned

Points = Mapping[str, Sequence[Mapping[str, int]]]  # measure -> combinations of variables


@dataclass(frozen=True, kw_only=True)
class Draft:
    """One table's cells and the keys of its columns in order."""

    view: View
    scope: Scope
    measures: tuple[str, ...]
    fixed: Mapping[str, int]  # the variables that are the same in the whole table
    machines: tuple[str, ...]
    columns: tuple[int | str, ...]
    cells: tuple[Cell, ...]


def drafts(
    connection: duckdb.DuckDBPyConnection, scope: Scope, views: Sequence[View], wishes: Wishes
) -> list[list[Draft]]:
    """The tables of each view: one for each measure, machine and pinned length that is not a column."""
    sampled = _sampled(connection, scope, wishes)
    return [
        [
            draft
            for measures in _together(view, wishes)
            for pins in pinned(view, wishes)
            for draft in _of_group(connection, scope, view, wishes, points=sampled, measures=measures, pins=pins)
        ]
        for view in views
    ]


def of_systems(scope: Scope, wishes: Wishes) -> str:
    """The SQL condition that keeps the systems wished for; without a wish, all."""
    names = [system.partition("/")[2] for system in wishes.systems if system.startswith(f"{scope.operation}/")]
    return one_of("primitive", names) if wishes.systems else "true"


def _sampled(connection: duckdb.DuckDBPyConnection, scope: Scope, wishes: Wishes) -> Points:
    """The combinations of variables that were sampled, by measure: one look at the samples for all views."""
    rows = connection.sql(
        f"SELECT DISTINCT measure, {', '.join(VARIABLES)} FROM points "
        f"WHERE NOT control AND {scope.sql()} AND {of_systems(scope, wishes)}"
    ).fetchall()
    points: dict[str, list[dict[str, int]]] = {}
    for measure, *values in rows:
        points.setdefault(measure, []).append(dict(zip(VARIABLES, values, strict=True)))
    return points


def _together(view: View, wishes: Wishes) -> list[tuple[str, ...]]:
    """Measures that share a table: all where they are the columns, else each has its own."""
    measures = [measure for measure in view.measures if not wishes.measures or measure in wishes.measures]
    return [tuple(measures)] if view.columns == "measure" else [(measure,) for measure in measures]


def _of_group(
    connection: duckdb.DuckDBPyConnection,
    scope: Scope,
    view: View,
    wishes: Wishes,
    *,
    points: Points,
    measures: tuple[str, ...],
    pins: Mapping[str, int],
) -> Iterable[Draft]:
    here = _agreeing((point for measure in measures for point in points.get(measure, [])), pins)
    if not here:
        return
    fixed = _settle(here, pins, view.columns)
    where = ["NOT control", scope.sql(), one_of("measure", measures), of_systems(scope, wishes)]
    where += [f"{name} = {value}" for name, value in fixed.items()]
    columns: tuple[int | str, ...] = measures
    if is_variable(view.columns):
        values = sorted({point[view.columns] for point in _agreeing(here, fixed)})
        shown = columns_to_show(view, values, wishes)
        columns = tuple(shown)
        where.append(one_of(view.columns, shown))
    found = [shared_out(cell, view.per) for cell in cells(summarise(connection, " AND ".join(where)))]
    across = [tuple(scope.machines)] if view.columns == "machine" else [(name,) for name in scope.machines]
    for machines in across:
        mine = tuple(cell for cell in found if cell.machine in machines)
        if mine:
            yield Draft(
                view=view,
                scope=scope,
                measures=measures,
                fixed=fixed,
                machines=machines,
                columns=machines if view.columns == "machine" else columns,
                cells=mine,
            )


def _settle(points: Sequence[Mapping[str, int]], pins: Mapping[str, int], running: str) -> dict[str, int]:
    """All variables but the running one: pinned, else the smallest sampled together with those before."""
    fixed = dict(pins)
    for name in VARIABLES:
        if name != running and name not in fixed:
            fixed[name] = min(point[name] for point in _agreeing(points, fixed))
    return fixed


def _agreeing(points: Iterable[Mapping[str, int]], fixed: Mapping[str, int]) -> list[Mapping[str, int]]:
    """Those that have the values given; of a full run there are tens of thousands."""
    left = list(points)
    for name, value in fixed.items():
        left = [point for point in left if point[name] == value]
    return left
