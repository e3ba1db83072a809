# SPDX-License-Identifier: MIT OR Apache-2.0
"""The contents of runs, before any number is computed: systems, measures and failures.

Every `connection` has the views of `store.connect` over these runs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import duckdb

from cyclometer.analyse.estimate.comparability import one_of
from cyclometer.records.failure import Failure, FailureKind, Severity
from cyclometer.records.rounds import RunKey
from cyclometer.records.run import REPLAY
from cyclometer.records.table import MachineFailure
from cyclometer.records.tuning import Tuning

Systems = dict[str, list[str]]  # operation -> primitives


def measured(connection: duckdb.DuckDBPyConnection) -> Systems:
    """Return all systems of the database, in the order of their names."""
    rows = connection.sql("SELECT DISTINCT operation, primitive FROM points ORDER BY ALL").fetchall()
    systems: Systems = {}
    for operation, primitive in rows:
        systems.setdefault(operation, []).append(primitive)
    return systems


def measured_by_run(connection: duckdb.DuckDBPyConnection) -> dict[RunKey, set[str]]:
    """Return the systems of each run, as operation/primitive."""
    rows = connection.sql("SELECT DISTINCT run, machine, operation || '/' || primitive FROM points").fetchall()
    result: dict[RunKey, set[str]] = {}
    for run, machine, system in rows:
        result.setdefault((run, machine), set()).add(system)
    return result


def measures(connection: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """Return the measures of each operation, sorted. The empty call and the replays of mixes are not among them."""
    rows = connection.sql(
        "SELECT DISTINCT operation, measure FROM points "
        f"WHERE measure <> 'empty' AND NOT starts_with(measure, '{REPLAY}') ORDER BY ALL"
    ).fetchall()
    result: dict[str, list[str]] = {}
    for operation, measure in rows:
        result.setdefault(operation, []).append(measure)
    return result


def failures(connection: duckdb.DuckDBPyConnection) -> list[MachineFailure]:
    """Return every failure once, even if several runs recorded it."""
    rows = connection.sql(
        "SELECT DISTINCT machine, stage, operation, primitive, implementation, compiler, reason, detail, kind, "
        "severity FROM failures ORDER BY ALL"
    ).fetchall()
    return [
        MachineFailure(
            machine=machine,
            failure=Failure(
                stage=stage,
                subject=Tuning(
                    operation=operation, primitive=primitive, implementation=implementation, compiler=compiler
                ),
                kind=FailureKind(kind),
                reason=reason,
                detail=detail,
                severity=Severity(severity),
            ),
        )
        for machine, stage, operation, primitive, implementation, compiler, reason, detail, kind, severity in rows
    ]


def of_these(systems: Mapping[str, Collection[str]]) -> str:
    """Return the SQL condition that a row is about one of these systems."""
    return " OR ".join(
        f"({one_of('operation', [operation])} AND {one_of('primitive', primitives)})"
        for operation, primitives in systems.items()
    )


def tunings_tried(connection: duckdb.DuckDBPyConnection, operation: str, primitive: str) -> int:
    """Return how many tunings of a primitive were timed to find the fastest."""
    query = "SELECT count(DISTINCT (implementation, compiler)) FROM trials WHERE operation = ? AND primitive = ?"
    row = connection.execute(query, [operation, primitive]).fetchone()
    return int(row[0]) if row else 0
