# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of all implementations of each system, from the timings that chose its tuning."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from cyclometer.analyse.estimate.comparability import RUNS, Scope, quoted
from cyclometer.analyse.estimate.core_cycles import figure_unit
from cyclometer.analyse.tables.plan import of_systems
from cyclometer.analyse.tables.views import TableOptions, View
from cyclometer.records.failure import Severity
from cyclometer.records.table import RATIO, Column, Context, Row, Table, Value


def implementation_tables(
    connection: duckdb.DuckDBPyConnection,
    scope: Scope,
    view: View,
    options: TableOptions,
    contexts: Mapping[str, Context],
) -> list[Table]:
    """Return a table for each machine: what every implementation took for the work load, with its best compiler.

    The first of a system is the chosen one; one that was screened out early was timed once, with one compiler. A
    tuning that failed while the fastest was chosen is left out, whatever it took before.
    """
    tables = []
    for machine in scope.machines:
        rows = [
            row
            for primitive, trials in itertools.groupby(_best(connection, scope, machine, options), lambda t: t[0])
            for row in _rows(scope.operation, primitive, list(trials))
        ]
        if rows:
            unit = figure_unit(scope.latest(machine))
            columns = [Column(label="work load", unit=unit), Column(label="of the best", unit=RATIO)]
            columns += [Column(label=name, unit="") for name in ("compiler", "decided by")]
            tables.append(
                Table(
                    view=view.name,
                    operation=scope.operation,
                    measure="",
                    title=view.title,
                    variable="implementation",
                    columns=tuple(columns),
                    rows=tuple(rows),
                    contexts=(contexts[machine],),
                )
            )
    return tables


def _best(
    connection: duckdb.DuckDBPyConnection, scope: Scope, machine: str, options: TableOptions
) -> list[tuple[Any, ...]]:
    """Return the best trial of every implementation in the newest run that has the system, the chosen one first."""
    return connection.sql(
        f"""
        WITH own AS (
            SELECT * FROM trials {RUNS}
            ANTI JOIN (SELECT * FROM failures WHERE stage = 'choose' AND severity = '{Severity.ERROR}')
            USING (run, machine, operation, primitive, implementation, compiler)
            WHERE machine = {quoted(machine)} AND {scope.sql()} AND {of_systems(scope, options)}),
        newest AS (SELECT * FROM own QUALIFY started = max(started) OVER (PARTITION BY primitive))
        SELECT primitive, implementation, compiler, cycles, timings, chosen, decided_by FROM newest
        QUALIFY row_number() OVER (PARTITION BY primitive, implementation ORDER BY chosen DESC, cycles, compiler) = 1
        ORDER BY primitive, chosen DESC, cycles, implementation
        """
    ).fetchall()


def _rows(operation: str, primitive: str, trials: Sequence[tuple[Any, ...]]) -> list[Row]:
    best = trials[0][3]
    return [
        Row(
            operation=operation,
            primitive=primitive,
            implementation=implementation,
            compiler=compiler,
            label=f"{primitive} {implementation}",
            figures=(
                Value(value=cycles, timings=timings, implementation=implementation, compiler=compiler),
                Value(value=cycles / best) if best > 0 else None,
                Value(value=compiler),
                Value(value="chosen" if chosen else decided_by) if chosen or decided_by else None,
            ),
        )
        for _, implementation, compiler, cycles, timings, chosen, decided_by in trials
    ]
