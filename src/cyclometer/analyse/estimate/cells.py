# SPDX-License-Identifier: MIT OR Apache-2.0
"""From samples to cells: one headline, interval and pair of quartiles for each thing measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import isnan
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from cyclometer.analyse.estimate.core_cycles import SUBJECT, VARIABLES, corrected_sql
from cyclometer.analyse.estimate.estimators import (
    Floats,
    clamp_to_zero,
    lower_quartile,
    median_interval,
    stabilised_quartiles,
)
from cyclometer.records.tuning import Tuning

_SUBJECT = ("operation", "primitive", "implementation", "compiler")
_FIGURES = ("cycles", "low", "high", "stq1", "stq3", "rounds", "samples", "disturbed", "taken")
CELL = f"machine, {SUBJECT}, control, measure, {', '.join(VARIABLES)}"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One thing measured on one machine, over all rounds of all runs chosen."""

    machine: str
    subject: Tuning
    control: bool
    measure: str
    variables: dict[str, int]
    cycles: float  # or counter units where the run has no cycles to offer
    interval: tuple[float, float] | None
    quartiles: tuple[float, float]
    rounds: int
    samples: int
    disturbed: bool
    timings: int = 0  # that the quartiles rest on


def summarise(connection: duckdb.DuckDBPyConnection, where: str = "true") -> pa.Table:
    """One row a cell: the columns of CELL; cycles, low, high, stq1, stq3; rounds, samples, disturbed.

    Samples of disturbed moments are left out where the cell has quiet ones, else all but the least disturbed;
    a cell with quiet samples in fewer than half of its rounds is `disturbed`. What cannot be told from nothing is 0.
    low and high are NaN for a cell that rests on a single round. Needs `prepare`.
    """
    groups = connection.sql(_grouped_sql(where)).to_arrow_table()
    headlines = groups["headlines"].combine_chunks()
    marked = groups["disturbed"].to_numpy()
    cycles, low, high = round_headlines(headlines.flatten().to_numpy(), np.diff(headlines.offsets.to_numpy()), marked)
    timings = groups["timings"].combine_chunks()
    taken = np.diff(timings.offsets.to_numpy())
    first, third = outer_quartiles(timings.flatten().to_numpy(), taken)
    added = {"cycles": cycles, "low": low, "high": high, "stq1": first, "stq3": third}
    table: pa.Table = groups.drop_columns(["headlines", "timings"])
    for name, column in added.items():
        table = table.append_column(name, pa.array(clamp_to_zero(column)))
    return table.append_column("taken", pa.array(taken))


def cells(table: pa.Table) -> list[Cell]:
    """The rows of `summarise` as records."""
    return cells_of({name: table[name].to_pylist() for name in table.column_names})


def cells_of(columns: Mapping[str, list[Any]]) -> list[Cell]:
    """The same from plain columns."""
    names = [*_SUBJECT, "machine", "control", "measure", *VARIABLES, *_FIGURES]
    subjects: dict[tuple[str, ...], Tuning] = {}
    found = []
    for operation, primitive, implementation, compiler, *rest in zip(*(columns[name] for name in names), strict=True):
        key = (operation, primitive, implementation, compiler)
        if key not in subjects:
            subjects[key] = Tuning(**dict(zip(_SUBJECT, key, strict=True)))
        found.append(_cell(subjects[key], rest))
    return found


def _grouped_sql(where: str) -> str:
    """Per cell the headline of every round that counts, and all timings that count."""
    return f"""
    WITH corrected AS ({corrected_sql(where)}),
    rounds AS (
        SELECT {CELL}, run, round, bool_or(NOT disturbed) AS quiet, count(*) FILTER (counts) AS samples,
               median(cycles) FILTER (counts) AS headline, list(timings) FILTER (counts) AS timings
        FROM corrected GROUP BY ALL)
    SELECT {CELL},
           list(headline) FILTER (samples > 0) AS headlines,
           flatten(flatten(list(timings) FILTER (samples > 0))) AS timings,
           CAST(count(headline) AS INT) AS rounds,
           CAST(sum(samples) AS INT) AS samples,
           2 * count(*) FILTER (quiet) < count(*) AS disturbed
    FROM rounds GROUP BY ALL ORDER BY {CELL}
    """


def _alike(
    counts: npt.NDArray[np.int64],
) -> Iterable[tuple[int, npt.NDArray[np.intp], npt.NDArray[np.int64]]]:
    """Lists of the same length together: the length, which lists, and where each begins."""
    starts = np.cumsum(counts) - counts
    for count in np.unique(counts):
        rows = np.flatnonzero(counts == count)
        yield int(count), rows, starts[rows]


def round_headlines(
    values: Floats, counts: npt.NDArray[np.int64], disturbed: npt.NDArray[np.bool_]
) -> tuple[Floats, Floats, Floats]:
    """The number that stands for ragged lists of round headlines, `counts` long each, and its interval:
    the median, or the lower quartile where the cell is disturbed."""
    middle, low, high = (np.full(len(counts), np.nan) for _ in range(3))
    for count, rows, starts in _alike(counts):
        block = values[starts[:, None] + np.arange(count)]
        middle[rows] = np.median(block, axis=1)
        if count > 1:
            low[rows], high[rows] = median_interval(block)
        few = rows[disturbed[rows]]
        middle[few] = lower_quartile(block[disturbed[rows]])
        low[few] = np.fmin(low[few], middle[few]) if count > 1 else np.nan
    return middle, low, high


def outer_quartiles(values: Floats, counts: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """StQ1 and StQ3 of ragged lists of timings."""
    first, third = np.empty(len(counts)), np.empty(len(counts))
    for count, rows, starts in _alike(counts):
        quartiles = stabilised_quartiles(values[starts[:, None] + np.arange(count)])
        first[rows], third[rows] = quartiles[:, 0], quartiles[:, 2]
    return first, third


def _cell(subject: Tuning, values: list[Any]) -> Cell:
    machine, control, measure, *values = values
    variables, figures = values[: len(VARIABLES)], values[len(VARIABLES) :]
    cycles, low, high, first, third, rounds, samples, disturbed, timings = figures
    return Cell(
        machine=machine,
        subject=subject,
        control=control,
        measure=measure,
        variables=dict(zip(VARIABLES, variables, strict=True)),
        cycles=cycles,
        interval=None if isnan(low) else (low, high),
        quartiles=(first, third),
        rounds=rounds,
        samples=samples,
        disturbed=disturbed,
        timings=timings,
    )


def per_key(cell: Cell, variable: str) -> Cell:
    """The part of its cycles for each of as many as the variable says; without a variable, the cell itself."""
    if not variable:
        return cell
    many = cell.variables[variable]
    low_high = (cell.interval[0] / many, cell.interval[1] / many) if cell.interval else None
    quartiles = (cell.quartiles[0] / many, cell.quartiles[1] / many)
    return replace(cell, cycles=cell.cycles / many, interval=low_high, quartiles=quartiles)
