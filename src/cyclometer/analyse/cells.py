# SPDX-License-Identifier: MIT OR Apache-2.0
"""From samples to cells: one headline, interval and pair of quartiles for each thing measured."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from cyclometer.analyse.estimators import Floats, median_interval, stabilised_quartiles
from cyclometer.analyse.samples import SUBJECT, VARIABLES, corrected_sql
from cyclometer.model import Subject

CELL = f"machine, {SUBJECT}, control, measure, {', '.join(VARIABLES)}"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One thing measured on one machine, over all rounds of all runs chosen."""

    machine: str
    subject: Subject
    control: bool
    measure: str
    variables: dict[str, int]
    cycles: float  # or counter units where the run has no cycles to offer
    interval: tuple[float, float] | None
    quartiles: tuple[float, float]
    rounds: int
    samples: int
    disturbed: bool


def summarise(connection: duckdb.DuckDBPyConnection, where: str = "true") -> pa.Table:
    """One row a cell: the columns of CELL; cycles, low, high, stq1, stq3; rounds, samples, disturbed.

    Samples of disturbed moments are left out where the cell has quiet ones;
    a cell with quiet samples in fewer than half of its rounds is `disturbed`.
    low and high are NaN for a cell that rests on a single round. Needs `prepare`.
    """
    groups = connection.sql(_grouped_sql(where)).to_arrow_table()
    headlines = groups["headlines"].combine_chunks()
    cycles, low, high = round_headlines(headlines.flatten().to_numpy(), np.diff(headlines.offsets.to_numpy()))
    timings = groups["timings"].combine_chunks()
    first, third = outer_quartiles(timings.flatten().to_numpy(), np.diff(timings.offsets.to_numpy()))
    added = {"cycles": cycles, "low": low, "high": high, "stq1": first, "stq3": third}
    table: pa.Table = groups.drop_columns(["headlines", "timings"])
    for name, column in added.items():
        table = table.append_column(name, pa.array(column))
    return table


def cells(table: pa.Table) -> list[Cell]:
    """The rows of `summarise` as records."""
    return [_cell(row) for row in table.to_pylist()]


def _grouped_sql(where: str) -> str:
    """Per cell the headline of every round that counts, and all timings that count."""
    return f"""
    WITH corrected AS ({corrected_sql(where)}),
    rounds AS (
        SELECT {CELL}, run, round, count(*) AS samples,
               median(cycles) AS every, median(cycles) FILTER (NOT disturbed) AS quiet,
               flatten(list(timings)) AS every_timing,
               flatten(list(timings) FILTER (NOT disturbed)) AS quiet_timing,
               count(*) FILTER (NOT disturbed) AS quiet_samples
        FROM corrected GROUP BY ALL),
    grouped AS (
        SELECT {CELL}, count(*) AS all_rounds, count(quiet) AS quiet_rounds,
               list(every) AS every, list(quiet) FILTER (quiet IS NOT NULL) AS quiet,
               flatten(list(every_timing)) AS every_timing,
               flatten(list(quiet_timing) FILTER (quiet IS NOT NULL)) AS quiet_timing,
               sum(samples) AS samples, sum(quiet_samples) AS quiet_samples
        FROM rounds GROUP BY ALL)
    SELECT {CELL},
           if(quiet_rounds > 0, quiet, every) AS headlines,
           if(quiet_rounds > 0, quiet_timing, every_timing) AS timings,
           CAST(if(quiet_rounds > 0, quiet_rounds, all_rounds) AS INT) AS rounds,
           CAST(if(quiet_rounds > 0, quiet_samples, samples) AS INT) AS samples,
           2 * quiet_rounds < all_rounds AS disturbed
    FROM grouped ORDER BY {CELL}
    """


def _alike(
    counts: npt.NDArray[np.int64],
) -> Iterable[tuple[int, npt.NDArray[np.intp], npt.NDArray[np.int64]]]:
    """Lists of the same length together: the length, which lists, and where each begins."""
    starts = np.cumsum(counts) - counts
    for count in np.unique(counts):
        rows = np.flatnonzero(counts == count)
        yield int(count), rows, starts[rows]


def round_headlines(values: Floats, counts: npt.NDArray[np.int64]) -> tuple[Floats, Floats, Floats]:
    """Median and its interval of ragged lists of round headlines, `counts` long each."""
    middle, low, high = (np.full(len(counts), np.nan) for _ in range(3))
    for count, rows, starts in _alike(counts):
        block = values[starts[:, None] + np.arange(count)]
        middle[rows] = np.median(block, axis=1)
        if count > 1:
            low[rows], high[rows] = median_interval(block)
    return middle, low, high


def outer_quartiles(values: Floats, counts: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """StQ1 and StQ3 of ragged lists of timings."""
    first, third = np.empty(len(counts)), np.empty(len(counts))
    for count, rows, starts in _alike(counts):
        quartiles = stabilised_quartiles(values[starts[:, None] + np.arange(count)])
        first[rows], third[rows] = quartiles[:, 0], quartiles[:, 2]
    return first, third


def _cell(row: dict[str, Any]) -> Cell:
    subject = Subject(**{part: str(row[part]) for part in ("operation", "primitive", "implementation", "compiler")})
    numbers = {name: float(row[name]) for name in ("cycles", "low", "high", "stq1", "stq3")}
    return Cell(
        machine=str(row["machine"]),
        subject=subject,
        control=bool(row["control"]),
        measure=str(row["measure"]),
        variables={name: int(row[name]) for name in VARIABLES},
        cycles=numbers["cycles"],
        interval=None if np.isnan(numbers["low"]) else (numbers["low"], numbers["high"]),
        quartiles=(numbers["stq1"], numbers["stq3"]),
        rounds=int(row["rounds"]),
        samples=int(row["samples"]),
        disturbed=bool(row["disturbed"]),
    )
