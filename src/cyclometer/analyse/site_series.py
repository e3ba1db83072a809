# SPDX-License-Identifier: MIT OR Apache-2.0
"""The long series of each system on each machine: headlines by length, headlines of rounds, raw timings."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import numpy.typing as npt

from cyclometer.analyse.estimate.cells import by_round, grouped_sql, numbers, varying
from cyclometer.analyse.estimate.comparability import OLDEST_FIRST, RUNS, Scope, one_of, quoted
from cyclometer.analyse.estimate.core_cycles import PROCESS, VARIABLES, corrected_sql
from cyclometer.records.columns import Columns, count_of, lists_of
from cyclometer.records.run import REPLAY
from cyclometer.store import fetched

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


TOGETHER = 16
"""Pairs of a system and a machine that are read at once; more would need much memory in a full profile."""

System = tuple[str, str]
"""Primitive and machine."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """Headlines of one measure and one number of keys, by length."""

    measure: str
    ad_length: int
    keys: int
    alignment: int
    lengths: Ints
    cycles: Floats
    low: Floats  # NaN if there is no interval
    high: Floats
    disturbed: npt.NDArray[np.bool_]
    varies: npt.NDArray[np.bool_]
    rounds: Floats  # (lengths, rounds): the headline of each round, NaN for a missing round


@dataclass(frozen=True, kw_only=True)
class Raw:
    """The raw samples behind the headlines, one row per sample."""

    run: str
    columns: Columns  # measure, VARIABLES, implementation, compiler, round, overhead, cycles, disturbed, ...
    counts: Ints  # timings of each sample
    timings: Ints  # of all samples one after the other: counter units, overhead included


@dataclass(frozen=True, kw_only=True)
class SystemSeries:
    """Everything measured of one system on one machine."""

    implementation: str  # the tuning of the lines
    compiler: str
    lines: list[Line]
    raw: list[Raw]  # of all tunings, one entry per run


def system_series(
    connection: duckdb.DuckDBPyConnection, scope: Scope, primitives: Sequence[str]
) -> Iterator[tuple[System, SystemSeries]]:
    """Yield each system on each machine with its series, if it has samples there. Needs `prepare`."""
    together = max(1, TOGETHER // len(scope.machines))
    for start in range(0, len(primitives), together):
        where = condition(scope, primitives[start : start + together])
        create_corrected(connection, where)
        tunings = newest_tunings(connection)
        own, samples = lines(connection, tunings), raw(connection, where)
        for system, (implementation, compiler) in tunings.items():
            yield (
                system,
                SystemSeries(
                    implementation=implementation, compiler=compiler, lines=own[system], raw=samples.get(system, [])
                ),
            )


def condition(scope: Scope, primitives: Sequence[str]) -> str:
    """Return the SQL condition for the samples of these systems, without controls and replays."""
    return (
        f"NOT control AND measure <> 'empty' AND NOT starts_with(measure, '{REPLAY}') AND {scope.sql()} "
        f"AND {one_of('primitive', primitives)}"
    )


def create_corrected(connection: duckdb.DuckDBPyConnection, where: str) -> None:
    """Create the table `corrected` of the samples that meet `where`. Needs `prepare`."""
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE corrected AS "
        f"SELECT {PROCESS}, sequence, {', '.join(_POINT)}, cycles, call_cycles, disturbed, used, coarse, step_cycles, "
        f"timings "
        f"FROM ({corrected_sql(where)})"
    )


def newest_tunings(connection: duckdb.DuckDBPyConnection) -> dict[System, tuple[str, str]]:
    """Return (implementation, compiler) in the newest run of each system in `corrected`."""
    rows = connection.sql(
        "SELECT primitive, machine, implementation, compiler "
        "FROM (SELECT DISTINCT run, machine, primitive, implementation, compiler FROM corrected) "
        f"{RUNS} ORDER BY primitive, machine, {OLDEST_FIRST}, implementation DESC, compiler DESC"
    ).fetchall()
    return {(primitive, machine): (implementation, compiler) for primitive, machine, implementation, compiler in rows}


def lines(connection: duckdb.DuckDBPyConnection, tunings: Mapping[System, tuple[str, str]]) -> dict[System, list[Line]]:
    """Return all lines of these tunings in `corrected`, with the numbers of the tables."""
    if not tunings:
        return {}
    chosen = ", ".join(_literal((*system, *tuning)) for system, tuning in tunings.items())
    order = ", ".join((*_SYSTEM, *_POINT))
    samples = f"SELECT * FROM corrected WHERE ({', '.join(_SYSTEM)}, implementation, compiler) IN ({chosen})"
    table = fetched(
        connection,
        f"SELECT {order}, headlines, processes, rounds, disturbed, unclear, reach, call "
        f"FROM ({grouped_sql(samples)}) ORDER BY {order}",
    )
    result: dict[System, list[Line]] = {system: [] for system in tunings}
    for part in _split(table, (*_SYSTEM, *_LINE)):
        result[_system(part)].append(_line(part))
    return result


def raw(connection: duckdb.DuckDBPyConnection, where: str) -> dict[System, list[Raw]]:
    """Return every sample that meets `where`, by system and run; `corrected` holds them, too."""
    point, system = ", ".join(_POINT), ", ".join(_SYSTEM)
    table = fetched(
        connection,
        f"""
        SELECT {system}, run, {point}, implementation, compiler, round, context_switches, retakes,
               coalesce(overhead, 0) AS overhead, cycles, coalesce(disturbed, true) AS disturbed, series
        FROM samples LEFT JOIN corrected USING ({PROCESS}, sequence, {point})
        LEFT JOIN overheads USING ({PROCESS})
        WHERE {where} ORDER BY {system}, run, {point}, round, sequence
    """,
    )
    result: dict[System, list[Raw]] = {}
    for part in _split(table, (*_SYSTEM, "run")):
        result.setdefault(_system(part), []).append(_raw(part))
    return result


def _split(table: Columns, columns: Sequence[str]) -> Iterator[Columns]:
    """Yield the parts of a sorted table in which these columns are constant."""
    count = count_of(table)
    if not count:
        return
    changes = np.any([table[name][1:] != table[name][:-1] for name in columns], axis=0)
    for start, end in itertools.pairwise([0, *(np.flatnonzero(changes) + 1).tolist(), count]):
        yield {name: column[start:end] for name, column in table.items()}


def _system(part: Columns) -> System:
    return str(part["primitive"][0]), str(part["machine"][0])


def _literal(values: Sequence[str]) -> str:
    return f"({', '.join(map(quoted, values))})"


_SYSTEM = ("primitive", "machine")
_LINE = ("measure", "ad_length", "keys", "alignment")
_POINT = (*_LINE, "length")
assert set(VARIABLES) < set(_POINT)


def _line(rows: Columns) -> Line:
    found = numbers(rows)
    return Line(
        measure=str(rows["measure"][0]),
        ad_length=int(rows["ad_length"][0]),
        keys=int(rows["keys"][0]),
        alignment=int(rows["alignment"][0]),
        lengths=rows["length"].astype(np.int64),
        cycles=found["cycles"],
        low=found["low"],
        high=found["high"],
        disturbed=rows["disturbed"],
        varies=varying(found),
        rounds=by_round(rows),
    )


def _raw(rows: Columns) -> Raw:
    timings, counts = lists_of(rows["series"])
    return Raw(
        run=str(rows["run"][0]),
        columns={name: column for name, column in rows.items() if name not in ("series", *_SYSTEM)},
        counts=counts,
        timings=timings,
    )
