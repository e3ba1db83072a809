# SPDX-License-Identifier: MIT OR Apache-2.0
"""The long series of one system on one machine: headlines by length, headlines of rounds, raw timings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from cyclometer.analyse.estimate.cells import round_headlines
from cyclometer.analyse.estimate.comparability import Scope, one_of
from cyclometer.analyse.estimate.core_cycles import PROCESS, VARIABLES, corrected_sql
from cyclometer.analyse.estimate.estimators import stabilised_quartiles
from cyclometer.records.run import REPLAY

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


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
    connection: duckdb.DuckDBPyConnection, scope: Scope, primitive: str, machine: str
) -> SystemSeries | None:
    """Read the series of one system on one machine; None without samples. Needs `prepare`."""
    where = condition(scope, primitive, machine)
    create_corrected(connection, where)
    tuning = newest_tuning(connection)
    if tuning is None:
        return None
    implementation, compiler = tuning
    return SystemSeries(
        implementation=implementation, compiler=compiler, lines=lines(connection, tuning), raw=raw(connection, where)
    )


def condition(scope: Scope, primitive: str, machine: str) -> str:
    """Return the SQL condition for the samples of one system on one machine, without controls and replays of mixes."""
    return (
        f"NOT control AND measure <> 'empty' AND NOT starts_with(measure, '{REPLAY}') AND {scope.sql()} "
        f"AND {one_of('primitive', [primitive])} AND {one_of('machine', [machine])}"
    )


def create_corrected(connection: duckdb.DuckDBPyConnection, where: str) -> None:
    """Create the table `corrected` of the samples that meet `where`, without timings. Needs `prepare`."""
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE corrected AS "
        f"SELECT {PROCESS}, sequence, {', '.join(_POINT)}, cycles, disturbed, used FROM ({corrected_sql(where)})"
    )


def newest_tuning(connection: duckdb.DuckDBPyConnection) -> tuple[str, str] | None:
    """Return (implementation, compiler) of the newest run in `corrected`; None without samples."""
    rows = connection.sql(
        "SELECT implementation, compiler FROM (SELECT DISTINCT run, machine, implementation, compiler FROM corrected) "
        "JOIN runs USING (run, machine) ORDER BY started DESC, implementation, compiler LIMIT 1"
    ).fetchall()
    return (rows[0][0], rows[0][1]) if rows else None


def lines(connection: duckdb.DuckDBPyConnection, tuning: tuple[str, str]) -> list[Line]:
    """Return all lines of one tuning in `corrected`, with headlines as `analyse.summarise` computes them."""
    table = connection.sql(
        f"""
        WITH heads AS (
            SELECT {", ".join(_POINT)}, run, round, median(cycles) FILTER (used) AS head,
                   bool_or(NOT disturbed) AS quiet
            FROM corrected WHERE implementation = ? AND compiler = ? GROUP BY ALL)
        SELECT {", ".join(_POINT)}, list(head) FILTER (head IS NOT NULL) AS heads,
               2 * count(*) FILTER (quiet) < count(*) AS disturbed
        FROM heads GROUP BY ALL ORDER BY {", ".join(_POINT)}
        """,
        params=tuning,
    ).to_arrow_table()
    if not table.num_rows:
        return []
    values = [np.asarray(table[name].to_numpy(zero_copy_only=False)) for name in _LINE]
    changes = np.any([column[1:] != column[:-1] for column in values], axis=0)
    starts = [0, *(np.flatnonzero(changes) + 1), table.num_rows]
    return [_line(table.slice(a, b - a)) for a, b in itertools.pairwise(starts)]


def raw(connection: duckdb.DuckDBPyConnection, where: str) -> list[Raw]:
    """Return every sample that meets `where`, by run; `corrected` holds the same samples."""
    point = ", ".join(_POINT)
    table = connection.sql(f"""
        SELECT run, {point}, implementation, compiler, round, context_switches, retakes,
               coalesce(overhead, 0) AS overhead, cycles, coalesce(disturbed, true) AS disturbed, series
        FROM samples LEFT JOIN corrected USING ({PROCESS}, sequence, {point}) LEFT JOIN overheads USING ({PROCESS})
        WHERE {where} ORDER BY run, {point}, round, sequence
    """).to_arrow_table()
    return [_raw(table.filter(pc.equal(table["run"], run)), run) for run in pc.unique(table["run"]).to_pylist()]


@dataclass(frozen=True, kw_only=True)
class Cloud:
    """Single timings with one key, in the unit of the headlines, overhead subtracted; all columns have equal length."""

    measures: npt.NDArray[np.str_]
    ad_lengths: Ints
    lengths: Ints
    cycles: Floats
    first: npt.NDArray[np.bool_]  # whether first of its series: code and data were not cached

    def of(self, measure: str, ad_length: int) -> npt.NDArray[np.bool_]:
        """Return which timings belong to one line, as a mask."""
        belongs: npt.NDArray[np.bool_] = (self.measures == measure) & (self.ad_lengths == ad_length)
        return belongs


def cloud(raw: Sequence[Raw]) -> Cloud:
    """Combine the timings of all runs."""
    parts = [_cloud(raw_samples) for raw_samples in raw] or [_cloud(_EMPTY)]
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return Cloud(**whole)


def _cloud(raw_samples: Raw) -> dict[str, npt.NDArray[np.generic]]:
    columns = raw_samples.columns
    keys = np.repeat(columns["keys"].to_numpy(), raw_samples.counts)
    is_first = np.zeros(len(raw_samples.timings), bool)
    is_first[(np.cumsum(raw_samples.counts) - raw_samples.counts)[raw_samples.counts > 0]] = True
    single_key = keys == 1
    values = columns["measure"].to_numpy(zero_copy_only=False).astype(str)
    measures, code = np.unique(values, return_inverse=True)
    return {
        "measures": measures[np.repeat(code, raw_samples.counts)[single_key]],
        "ad_lengths": np.repeat(columns["ad_length"].to_numpy(), raw_samples.counts)[single_key],
        "lengths": np.repeat(columns["length"].to_numpy(), raw_samples.counts)[single_key],
        "cycles": _scaled(raw_samples)[single_key],
        "first": is_first[single_key],
    }


def _scaled(raw_samples: Raw) -> Floats:
    """Return all timings in the order taken, scaled like their sample's headline."""
    overhead = raw_samples.columns["overhead"].to_numpy()
    cycles = raw_samples.columns["cycles"].to_numpy(zero_copy_only=False)
    ticks = np.ones(len(raw_samples.counts))
    starts = np.cumsum(raw_samples.counts) - raw_samples.counts
    for count in np.unique(raw_samples.counts[raw_samples.counts > 0]):
        rows = np.flatnonzero(raw_samples.counts == count)
        ticks[rows] = stabilised_quartiles(raw_samples.timings[starts[rows][:, None] + np.arange(count)])[:, 1]
    with np.errstate(all="ignore"):
        scale = cycles / (ticks - overhead)
    usable = np.isfinite(scale) & (scale > 0) & (ticks - overhead > 1)
    typical = float(np.median(scale[usable])) if usable.any() else 1.0
    scale = np.where(usable, scale, typical)
    timings: Floats = (raw_samples.timings - np.repeat(overhead, raw_samples.counts)) * np.repeat(
        scale, raw_samples.counts
    )
    return timings


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


_EMPTY = Raw(
    run="",
    columns=pa.table(
        {
            "measure": pa.array([], pa.string()),
            **{name: pa.array([], pa.int64()) for name in ("keys", "ad_length", "length")},
            **{name: pa.array([], pa.float64()) for name in ("overhead", "cycles")},
        }
    ),
    counts=np.zeros(0, np.int64),
    timings=np.zeros(0, np.int64),
)
