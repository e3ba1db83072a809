# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of chosen tunings, which has text instead of numbers."""

from __future__ import annotations

from collections.abc import Mapping

import duckdb

from cyclometer.analyse.estimate.comparability import Scope
from cyclometer.analyse.tables.plan import of_systems
from cyclometer.analyse.tables.views import TableOptions, View
from cyclometer.records.run import CONSTANT_TIME
from cyclometer.records.table import Column, Context, Row, Table, Value


def tuning_table(
    connection: duckdb.DuckDBPyConnection,
    scope: Scope,
    view: View,
    options: TableOptions,
    contexts: Mapping[str, Context],
) -> list[Table]:
    """Return the tuning that each machine's newest run chose; no table if there is none."""
    rows = connection.sql(
        "SELECT primitive, machine, implementation, compiler FROM trials "
        f"WHERE chosen AND {scope.sql()} AND {of_systems(scope, options)} ORDER BY run"
    ).fetchall()
    chosen = {(primitive, machine): tuning for primitive, machine, *tuning in rows}
    verdict_rows = connection.sql(
        "SELECT machine, primitive, implementation, compiler, value FROM sizes "
        f"WHERE name = '{CONSTANT_TIME}' AND {scope.sql()} ORDER BY run"
    ).fetchall()
    constant_time = {tuple(tuning): bool(value) for *tuning, value in verdict_rows}
    machines = sorted({machine for _, machine in chosen})
    if not machines:
        return []
    table_rows = [
        Row(
            operation=scope.operation,
            primitive=primitive,
            implementation="",
            compiler="",
            label=primitive,
            figures=tuple(
                _figure(chosen.get((primitive, machine)), constant_time, machine, primitive) for machine in machines
            ),
        )
        for primitive in sorted({primitive for primitive, _ in chosen})
    ]
    return [
        Table(
            view=view.name,
            operation=scope.operation,
            measure="",
            title=view.title,
            variable="machine",
            columns=tuple(Column(label=machine, unit="") for machine in machines),
            rows=tuple(table_rows),
            contexts=tuple(contexts[machine] for machine in machines),
        )
    ]


def _figure(
    tuning: list[str] | None, constant_time: dict[tuple[str, ...], bool], machine: str, primitive: str
) -> Value | None:
    if tuning is None:
        return None
    implementation, compiler = tuning
    verdict = constant_time.get((machine, primitive, implementation, compiler))
    suffix = "" if verdict is None else ", constant time" if verdict else ", time depends on secrets"
    return Value(value=f"{implementation} {compiler}{suffix}", implementation=implementation, compiler=compiler)
