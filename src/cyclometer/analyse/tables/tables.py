# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables from samples: `build_tables` turns a database of runs into records that a reporter prints."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import duckdb

from cyclometer.analyse.estimate.cell_source import CellSource, SampleSource
from cyclometer.analyse.estimate.comparability import Scope, comparable, context
from cyclometer.analyse.estimate.core_cycles import prepare
from cyclometer.analyse.tables.build import TableBuilder
from cyclometer.analyse.tables.implementations import implementation_tables
from cyclometer.analyse.tables.plan import plan_tables
from cyclometer.analyse.tables.sizes import size_tables
from cyclometer.analyse.tables.tunings import tuning_table
from cyclometer.analyse.tables.views import TableOptions, View, requested
from cyclometer.records.failure import Severity
from cyclometer.records.run import RunInfo
from cyclometer.records.table import Table

_NAMED = 4  # systems in a note


def build_tables(
    connection: duckdb.DuckDBPyConnection,
    infos: Sequence[RunInfo],
    views: Mapping[str, Sequence[View]],
    options: TableOptions,
    cached: CellSource | None = None,
) -> tuple[list[Table], list[str]]:
    """Build the tables of each operation's views, and notes on excluded runs and on numbers with a failure beside them.

    `connection` has the views of `store.connect` over the runs of `infos`. With `cached` cells no samples are read;
    without, `prepare` has been called on return.
    """
    source = cached or _prepared(connection, infos)
    tables: list[Table] = []
    notes: list[str] = []
    for operation, operation_views in views.items():
        scope, scope_notes = comparable(infos, operation, across=options.across_contracts)
        notes += [note for note in [*scope_notes, *_changed_code(connection, scope)] if note not in notes]
        own = _operation_tables(
            source, connection, scope, operation_views, replace(options, requested=requested(scope.infos))
        )
        tables += own
        notes += _failed_when_measured(connection, scope, {row.primitive for table in own for row in table.rows})
    return tables, notes


def _changed_code(connection: duckdb.DuckDBPyConnection, scope: Scope) -> list[str]:
    """Return a note for each machine whose pooled runs have the same tuning of a system with code of other sizes."""
    changed: dict[str, list[str]] = {}
    for machine, primitive in connection.sql(
        f"SELECT DISTINCT machine, primitive FROM (SELECT * FROM sizes WHERE {scope.sql()} AND name = 'code_bytes') "
        "GROUP BY machine, primitive, implementation, compiler HAVING count(DISTINCT value) > 1 ORDER BY ALL"
    ).fetchall():
        changed.setdefault(machine, []).append(primitive)
    return [
        f"{machine}: runs with different code are pooled ({_some(names)}); `compare --run A --run B` tells them apart"
        for machine, names in changed.items()
    ]


def _failed_when_measured(connection: duckdb.DuckDBPyConnection, scope: Scope, shown: Collection[str]) -> list[str]:
    """Return a note for each machine on which a process failed that measured a chosen tuning of a system shown."""
    failed: dict[str, list[str]] = {}
    for machine, primitive in connection.sql(
        "SELECT DISTINCT machine, primitive FROM failures JOIN trials "
        "USING (run, machine, operation, primitive, implementation, compiler) "
        f"WHERE chosen AND stage = 'measure' AND severity = '{Severity.ERROR}' AND {scope.sql()} ORDER BY ALL"
    ).fetchall():
        if primitive in shown:
            failed.setdefault(machine, []).append(primitive)
    return [
        f"{machine}: failed in some of the processes that measured it: {_some(names)}; the numbers are from the others "
        "(`table --failures` lists why)"
        for machine, names in failed.items()
    ]


def _some(names: Sequence[str]) -> str:
    return f"{', '.join(names[:_NAMED])}{' ...' if len(names) > _NAMED else ''}"


def _prepared(connection: duckdb.DuckDBPyConnection, infos: Sequence[RunInfo]) -> SampleSource:
    prepare(connection, infos)
    return SampleSource(connection)


def _operation_tables(
    source: CellSource,
    connection: duckdb.DuckDBPyConnection,
    scope: Scope,
    views: Sequence[View],
    options: TableOptions,
) -> list[Table]:
    spreads = source.spreads(scope)
    contexts = {
        machine: context(scope, machine, None, source.overhead(scope, machine), source.calibration(scope, machine))
        for machine in scope.machines
    }
    tables = []
    for view, plans in zip(views, plan_tables(source, scope, views, options), strict=True):
        tables += tuning_table(connection, scope, view, options, contexts) if view.tunings else []
        tables += implementation_tables(connection, scope, view, options, contexts) if view.implementations else []
        tables += size_tables(connection, scope, view, options, contexts) if view.sizes_alone else []
        tables += [TableBuilder.of(source, connection, plan, spreads, options, contexts).table() for plan in plans]
    return tables
