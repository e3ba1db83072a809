# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables of sizes alone: keys, overheads, stacks. Machines with the same sizes share a table."""

from __future__ import annotations

from collections.abc import Mapping

import duckdb

from cyclometer.analyse.estimate.comparability import OLDEST_FIRST, RUNS, Scope, one_of
from cyclometer.analyse.tables.plan import of_systems
from cyclometer.analyse.tables.views import TableOptions, View
from cyclometer.records.table import Column, Context, Row, Table, Value, size_unit


def size_tables(
    connection: duckdb.DuckDBPyConnection,
    scope: Scope,
    view: View,
    options: TableOptions,
    contexts: Mapping[str, Context],
) -> list[Table]:
    """Return the sizes of the tunings measured in each machine's newest run; no table if there are none."""
    size_rows = connection.sql(
        f"SELECT machine, primitive, implementation, compiler, name, value FROM sizes {RUNS} "
        f"WHERE {scope.sql()} AND {of_systems(scope, options)} AND {one_of('name', view.sizes)} "
        f"ORDER BY {OLDEST_FIRST}"
    ).fetchall()
    newest: dict[tuple[str, str], tuple[str, str]] = {}
    values: dict[tuple[str, str], dict[str, int]] = {}
    for machine, primitive, implementation, compiler, name, value in size_rows:
        if newest.get((machine, primitive)) != (implementation, compiler):
            newest[machine, primitive] = (implementation, compiler)
            values[machine, primitive] = {}
        values[machine, primitive][name] = value
    machines_by_rows: dict[tuple[Row, ...], list[str]] = {}
    for machine in scope.machines:
        rows = [_row(scope, view, primitive, sizes) for (owner, primitive), sizes in values.items() if owner == machine]
        if rows:
            machines_by_rows.setdefault(tuple(sorted(rows, key=lambda row: _sort_key(row, options))), []).append(
                machine
            )
    return [
        _table(scope, view, rows, [contexts[machine] for machine in machines])
        for rows, machines in machines_by_rows.items()
    ]


def _row(scope: Scope, view: View, primitive: str, sizes: dict[str, int]) -> Row:
    return Row(
        operation=scope.operation,
        primitive=primitive,
        implementation="",
        compiler="",
        label=primitive,
        figures=tuple(Value(value=sizes[name]) if name in sizes else None for name in view.sizes),
    )


def _sort_key(row: Row, options: TableOptions) -> tuple[float, str]:
    """Sort by the first size, ascending, or by name if requested."""
    if options.sort == "name":
        return 0.0, row.label
    first = row.figures[0]
    return float("inf") if first is None else float(first.value), row.label


def _table(scope: Scope, view: View, rows: tuple[Row, ...], contexts: list[Context]) -> Table:
    return Table(
        view=view.name,
        operation=scope.operation,
        measure="",
        title=view.title,
        variable="size",
        columns=tuple(Column(label=name.replace("_", " "), unit=size_unit(name)) for name in view.sizes),
        rows=rows,
        contexts=tuple(contexts),
    )
