# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of chosen tunings: text instead of numbers."""

from __future__ import annotations

import duckdb

from cyclometer.analyse.drafts import of_systems
from cyclometer.analyse.scope import Scope, context
from cyclometer.analyse.views import View, Wishes
from cyclometer.figures import Column, Figure, Row, Table


def tuning_table(connection: duckdb.DuckDBPyConnection, scope: Scope, view: View, wishes: Wishes) -> list[Table]:
    """What the choose stage settled on, by machine, from each one's newest run that chose; or no table."""
    rows = connection.sql(
        "SELECT primitive, machine, implementation, compiler FROM trials "
        f"WHERE chosen AND {scope.sql()} AND {of_systems(scope, wishes)} ORDER BY run"
    ).fetchall()
    chosen = {(primitive, machine): tuning for primitive, machine, *tuning in rows}
    machines = sorted({machine for _, machine in chosen})
    if not machines:
        return []
    rows_of_table = [
        Row(
            operation=scope.operation,
            primitive=primitive,
            implementation="",
            compiler="",
            label=primitive,
            figures=tuple(_figure(chosen.get((primitive, machine))) for machine in machines),
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
            rows=tuple(rows_of_table),
            contexts=tuple(context(connection, scope, machine, None) for machine in machines),
        )
    ]


def _figure(tuning: list[str] | None) -> Figure | None:
    if tuning is None:
        return None
    implementation, compiler = tuning
    return Figure(value=f"{implementation} {compiler}", implementation=implementation, compiler=compiler)
