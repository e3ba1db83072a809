# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables of sizes alone: keys, overheads, stacks. What is the same on several machines is one table."""

from __future__ import annotations

from collections.abc import Mapping

import duckdb

from cyclometer.analyse.estimate.comparability import Scope, one_of
from cyclometer.analyse.tables.plan import of_systems
from cyclometer.analyse.tables.views import TableOptions, View
from cyclometer.records.table import Column, Context, Row, Table, Value


def size_tables(
    connection: duckdb.DuckDBPyConnection,
    scope: Scope,
    view: View,
    options: TableOptions,
    contexts: Mapping[str, Context],
) -> list[Table]:
    """The sizes of the tunings measured, those of each machine's newest run; or no table."""
    found = connection.sql(
        "SELECT machine, primitive, implementation, compiler, name, value FROM sizes "
        f"WHERE {scope.sql()} AND {of_systems(scope, options)} AND {one_of('name', view.sizes)} ORDER BY run"
    ).fetchall()
    newest: dict[tuple[str, str], tuple[str, str]] = {}
    values: dict[tuple[str, str], dict[str, int]] = {}
    for machine, primitive, implementation, compiler, name, value in found:
        if newest.get((machine, primitive)) != (implementation, compiler):
            newest[machine, primitive] = (implementation, compiler)
            values[machine, primitive] = {}
        values[machine, primitive][name] = value
    alike: dict[tuple[Row, ...], list[str]] = {}
    for machine in scope.machines:
        rows = [_row(scope, view, one, sizes) for (where, one), sizes in values.items() if where == machine]
        if rows:
            alike.setdefault(tuple(sorted(rows, key=lambda row: _place(row, options))), []).append(machine)
    return [_table(scope, view, rows, [contexts[machine] for machine in machines]) for rows, machines in alike.items()]


def _row(scope: Scope, view: View, primitive: str, sizes: dict[str, int]) -> Row:
    return Row(
        operation=scope.operation,
        primitive=primitive,
        implementation="",
        compiler="",
        label=primitive,
        figures=tuple(Value(value=sizes[name]) if name in sizes else None for name in view.sizes),
    )


def _place(row: Row, options: TableOptions) -> tuple[float, str]:
    """By the first size, the smallest first, unless names are to sort by."""
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
        columns=tuple(
            Column(label=name.replace("_", " "), unit="calls" if name.endswith("_calls") else "bytes")
            for name in view.sizes
        ),
        rows=rows,
        contexts=tuple(contexts),
    )
