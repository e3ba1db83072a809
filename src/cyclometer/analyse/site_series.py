# SPDX-License-Identifier: MIT OR Apache-2.0
"""The long series of one system on one machine: headlines by length, headlines of rounds, raw timings."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from cyclometer.analyse.estimate.cells import round_headlines
from cyclometer.analyse.estimate.comparability import Scope, one_of
from cyclometer.analyse.estimate.core_cycles import CENTER, PROCESS, VARIABLES, corrected_sql
from cyclometer.records.run import REPLAY

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


TOGETHER = 16
"""Systems whose samples are corrected in one query; more would need much memory in a full profile."""


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
    rounds: Floats  # (lengths, rounds): the headline of each round, NaN for a missing round


@dataclass(frozen=True, kw_only=True)
class Raw:
    """The raw samples behind the headlines, one row per sample."""

    run: str
    columns: pa.Table  # measure, VARIABLES, implementation, compiler, round, overhead, cycles, disturbed, ...
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
    connection: duckdb.DuckDBPyConnection, scope: Scope, machine: str, primitives: Sequence[str]
) -> Iterator[tuple[str, SystemSeries]]:
    """Yield each system with its series on a machine; systems without samples are left out. Needs `prepare`."""
    for start in range(0, len(primitives), TOGETHER):
        group = primitives[start : start + TOGETHER]
        create_corrected(connection, condition(scope, group, machine))
        for primitive in group:
            tuning = newest_tuning(connection, primitive)
            if tuning is not None:
                own = lines(connection, primitive, tuning)
                samples = raw(connection, primitive, condition(scope, [primitive], machine))
                yield primitive, SystemSeries(implementation=tuning[0], compiler=tuning[1], lines=own, raw=samples)


def condition(scope: Scope, primitives: Sequence[str], machine: str) -> str:
    """Return the SQL condition for the samples of these systems on one machine, without controls and replays."""
    return (
        f"NOT control AND measure <> 'empty' AND NOT starts_with(measure, '{REPLAY}') AND {scope.sql()} "
        f"AND {one_of('primitive', primitives)} AND {one_of('machine', [machine])}"
    )


def create_corrected(connection: duckdb.DuckDBPyConnection, where: str) -> None:
    """Create the table `corrected` of the samples that meet `where`, without timings. Needs `prepare`."""
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE corrected AS "
        f"SELECT {PROCESS}, sequence, {', '.join(_POINT)}, cycles, disturbed, used, coarse "
        f"FROM ({corrected_sql(where)})"
    )


def newest_tuning(connection: duckdb.DuckDBPyConnection, primitive: str) -> tuple[str, str] | None:
    """Return (implementation, compiler) of a system's newest run in `corrected`; None without samples."""
    rows = connection.sql(
        "SELECT implementation, compiler "
        "FROM (SELECT DISTINCT run, machine, implementation, compiler FROM corrected WHERE primitive = ?) "
        "JOIN runs USING (run, machine) ORDER BY started DESC, implementation, compiler LIMIT 1",
        params=[primitive],
    ).fetchall()
    return (rows[0][0], rows[0][1]) if rows else None


def lines(connection: duckdb.DuckDBPyConnection, primitive: str, tuning: tuple[str, str]) -> list[Line]:
    """Return all lines of one tuning in `corrected`, with headlines as `analyse.summarise` computes them."""
    table = connection.sql(
        f"""
        WITH heads AS (
            SELECT {", ".join(_POINT)}, run, round, {CENTER} AS head,
                   bool_or(NOT disturbed) AS quiet
            FROM corrected WHERE primitive = ? AND implementation = ? AND compiler = ? GROUP BY ALL)
        SELECT {", ".join(_POINT)}, list(head) FILTER (head IS NOT NULL) AS heads,
               2 * count(*) FILTER (quiet) < count(*) AS disturbed
        FROM heads GROUP BY ALL ORDER BY {", ".join(_POINT)}
        """,
        params=[primitive, *tuning],
    ).to_arrow_table()
    if not table.num_rows:
        return []
    values = [np.asarray(table[name].to_numpy(zero_copy_only=False)) for name in _LINE]
    changes = np.any([column[1:] != column[:-1] for column in values], axis=0)
    starts = [0, *(np.flatnonzero(changes) + 1), table.num_rows]
    return [_line(table.slice(a, b - a)) for a, b in itertools.pairwise(starts)]


def raw(connection: duckdb.DuckDBPyConnection, primitive: str, where: str) -> list[Raw]:
    """Return every sample of a system that meets `where`, by run; `corrected` holds them, too."""
    point = ", ".join(_POINT)
    table = connection.sql(
        f"""
        SELECT run, {point}, implementation, compiler, round, context_switches, retakes,
               coalesce(overhead, 0) AS overhead, cycles, coalesce(disturbed, true) AS disturbed, series
        FROM samples LEFT JOIN (FROM corrected WHERE primitive = ?) USING ({PROCESS}, sequence, {point})
        LEFT JOIN overheads USING ({PROCESS})
        WHERE {where} ORDER BY run, {point}, round, sequence
    """,
        params=[primitive],
    ).to_arrow_table()
    return [_raw(table.filter(pc.equal(table["run"], run)), run) for run in pc.unique(table["run"]).to_pylist()]


_LINE = ("measure", "ad_length", "keys", "alignment")
_POINT = (*_LINE, "length")
assert set(VARIABLES) < set(_POINT)


def _line(rows: pa.Table) -> Line:
    heads = pc.list_flatten(rows["heads"]).to_numpy()
    counts = pc.list_value_length(rows["heads"]).to_numpy().astype(np.int64)
    disturbed = rows["disturbed"].to_numpy(zero_copy_only=False)
    cycles, low, high = round_headlines(heads, counts, disturbed)
    measure, ad_length, keys, alignment = (rows[name][0].as_py() for name in _LINE)
    return Line(
        measure=str(measure),
        ad_length=ad_length,
        keys=keys,
        alignment=alignment,
        lengths=rows["length"].to_numpy().astype(np.int64),
        cycles=cycles,
        low=low,
        high=high,
        disturbed=disturbed,
        rounds=_matrix(heads, counts),
    )


def _matrix(heads: Floats, counts: Ints) -> Floats:
    matrix = np.full((len(counts), int(counts.max(initial=0))), np.nan)
    columns = np.arange(len(heads)) - np.repeat(np.cumsum(counts) - counts, counts)
    matrix[np.repeat(np.arange(len(counts)), counts), columns] = heads
    return matrix


def _raw(table: pa.Table, run: str) -> Raw:
    return Raw(
        run=run,
        columns=table.drop_columns(["series"]).combine_chunks(),
        counts=pc.list_value_length(table["series"]).to_numpy().astype(np.int64),
        timings=pc.list_flatten(table["series"]).to_numpy().astype(np.int64),
    )
