# SPDX-License-Identifier: MIT OR Apache-2.0
"""From samples to cells: one headline, interval and pair of quartiles per tuning and point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import isnan
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from cyclometer.analyse.estimate.core_cycles import CENTER, SUBJECT, VARIABLES, corrected_sql
from cyclometer.analyse.estimate.estimators import (
    Floats,
    center,
    clamp_to_zero,
    median_interval,
    stabilised_quartiles,
)
from cyclometer.analyse.estimate.unclear import TUNING
from cyclometer.records.columns import Columns, lists_of
from cyclometer.records.tuning import Tuning
from cyclometer.records.varying import FEW, is_wide
from cyclometer.store import fetched

_SUBJECT = ("operation", "primitive", "implementation", "compiler")
_NUMBERS = ("cycles", "low", "high", "stq1", "stq3", "rounds", "samples", "disturbed", "unclear", "taken")
CELL = f"machine, {SUBJECT}, control, measure, {', '.join(VARIABLES)}"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One tuning at one point on one machine, over all rounds of all runs chosen."""

    machine: str
    subject: Tuning
    control: bool
    measure: str
    variables: dict[str, int]
    cycles: float  # or counter units if the run has no core cycles
    interval: tuple[float, float] | None
    quartiles: tuple[float, float]
    rounds: int
    samples: int
    disturbed: bool
    unclear: bool = False  # disturbed timings chose the tuning, so another may be faster
    timings: int = 0  # number of timings behind the quartiles
    between: tuple[int, ...] = ()  # the measured lengths it is interpolated from; empty: measured

    @property
    def varies(self) -> bool:
        """Whether a second run may well say something else.

        The interval is wide, there are few rounds, or it is unclear which tuning is fastest.
        """
        if self.rounds < FEW or self.unclear:
            return True
        return is_wide(self.cycles, *(self.interval or (self.cycles, self.cycles)))


def summarise(connection: duckdb.DuckDBPyConnection, where: str = "true", *, clamped: bool = True) -> Columns:
    """Compute one row per cell.

    Its columns are those of CELL; cycles, low, high, stq1, stq3; rounds, samples, disturbed, unclear, taken.
    Only undisturbed samples are used; a cell without any is `disturbed`, and rests on the least disturbed. If
    `clamped`, cycles that an empty function could take become 0; low and high are NaN with a single round. Intervals
    reach as far as runs lie apart, where that is known. Needs `prepare`.
    """
    sql = f"SELECT * EXCLUDE (processes) FROM ({grouped_sql(corrected_sql(where))}) ORDER BY {CELL}"
    return numbers(fetched(connection, sql), clamped=clamped)


def numbers(groups: Columns, *, clamped: bool = True) -> Columns:
    """Return the columns of `grouped_sql` with numbers in place of lists: those of tables, plots and pages alike.

    These are cycles, low, high, and of `timings`, if they are there, stq1, stq3 and how many were taken.
    """
    groups = {name: column for name, column in groups.items() if name != "processes"}
    cycles, low, high = round_headlines(*lists_of(groups.pop("headlines")), groups["disturbed"])
    low, high = _reaching(cycles, low, high, groups.pop("reach"))
    columns = {"cycles": cycles, "low": low, "high": high}
    if "timings" in groups:
        timings, groups["taken"] = lists_of(groups.pop("timings"))
        columns["stq1"], columns["stq3"] = outer_quartiles(timings, groups["taken"])
    call = groups.pop("call")
    clamped_columns = {name: clamp_to_zero(column, call) if clamped else column for name, column in columns.items()}
    return {**groups, **clamped_columns}


def varying(table: Columns) -> npt.NDArray[np.bool_]:
    """Return, of each row of `numbers`, whether a second run may well say something else, as `Cell.varies` does."""
    is_few = table["rounds"] < FEW
    return np.asarray(is_few | table["unclear"] | is_wide(table["cycles"], table["low"], table["high"]))


def by_round(groups: Columns) -> Floats:
    """Return the headline of each round from the columns of `grouped_sql`: (cells, rounds), NaN for a missing one."""
    headlines, counts = lists_of(groups["headlines"])
    processes, _ = lists_of(groups["processes"])
    present, column = np.unique(processes, return_inverse=True)
    matrix = np.full((len(counts), len(present)), np.nan)
    matrix[np.repeat(np.arange(len(counts)), counts), column] = headlines
    return matrix


def cells(table: Columns) -> list[Cell]:
    """Return the rows of `summarise` as records."""
    return cells_of({name: column.tolist() for name, column in table.items()})


def cells_of(columns: Mapping[str, list[Any]]) -> list[Cell]:
    """Return records from plain columns, named as in `summarise`."""
    names = [*_SUBJECT, "machine", "control", "measure", *VARIABLES, *_NUMBERS]
    subjects: dict[tuple[str, ...], Tuning] = {}
    result = []
    for operation, primitive, implementation, compiler, *rest in zip(*(columns[name] for name in names), strict=True):
        key = (operation, primitive, implementation, compiler)
        if key not in subjects:
            subjects[key] = Tuning(**dict(zip(_SUBJECT, key, strict=True)))
        result.append(_cell(subjects[key], rest))
    return result


def grouped_sql(samples: str) -> str:
    """Return a query for each cell's headlines of rounds and its timings, both of the samples used.

    `samples` is a query like `corrected_sql`, or the name of a table with its columns. A round is one of `processes`,
    which number the runs and rounds of all samples. What is not selected costs no time.
    """
    return f"""
    WITH rounds AS (
        SELECT {CELL}, run, round, bool_or(NOT disturbed) AS quiet, count(*) FILTER (used) AS samples,
               {CENTER} AS headline, median(call_cycles) AS call_cycles,
               list(timings) FILTER (used) AS timings
        FROM ({samples}) GROUP BY ALL),
    numbered AS (SELECT *, dense_rank() OVER (ORDER BY run, round) AS process FROM rounds)
    SELECT {CELL},
           list(headline) FILTER (samples > 0) AS headlines,
           list(process) FILTER (samples > 0) AS processes,
           flatten(flatten(list(timings) FILTER (samples > 0))) AS timings,
           median(call_cycles) AS call,
           CAST(count(headline) AS INT) AS rounds,
           CAST(sum(samples) AS INT) AS samples,
           NOT bool_or(quiet) AS disturbed,
           bool_and(({TUNING}) IN (SELECT ({TUNING}) FROM unclear)) AS unclear,
           coalesce(max(reach), 0) / sqrt(count(DISTINCT run)) AS reach
    FROM numbered LEFT JOIN run_to_run USING (run, machine, {SUBJECT}, measure, {", ".join(VARIABLES)})
    GROUP BY ALL
    """


def _reaching(cycles: Floats, low: Floats, high: Floats, reach: Floats) -> tuple[Floats, Floats]:
    """Return intervals that reach as far to each side as runs lie apart, where that is known (not 0)."""
    known = reach > 0
    return np.where(known, np.fmin(low, cycles - reach), low), np.where(known, np.fmax(high, cycles + reach), high)


def _by_length(
    counts: npt.NDArray[np.int64],
) -> Iterable[tuple[int, npt.NDArray[np.intp], npt.NDArray[np.int64]]]:
    """Group lists by length: yield the length, the indices of the lists, and where each begins."""
    starts = np.cumsum(counts) - counts
    for count in np.unique(counts):
        rows = np.flatnonzero(counts == count)
        yield int(count), rows, starts[rows]


def round_headlines(
    values: Floats, counts: npt.NDArray[np.int64], disturbed: npt.NDArray[np.bool_]
) -> tuple[Floats, Floats, Floats]:
    """Return center, low and high of ragged lists of round headlines, `counts` long each.

    The interval reaches down to the center; low and high are NaN with a single round.
    """
    centers, low, high = (np.full(len(counts), np.nan) for _ in range(3))
    for count, rows, starts in _by_length(counts):
        block = values[starts[:, None] + np.arange(count)]
        centers[rows] = center(block, disturbed[rows])
        if count > 1:
            low[rows], high[rows] = median_interval(block)
            low[rows] = np.fmin(low[rows], centers[rows])
    return centers, low, high


def outer_quartiles(values: Floats, counts: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return StQ1 and StQ3 of ragged lists of timings, `counts` long each."""
    first, third = np.empty(len(counts)), np.empty(len(counts))
    for count, rows, starts in _by_length(counts):
        quartiles = stabilised_quartiles(values[starts[:, None] + np.arange(count)])
        first[rows], third[rows] = quartiles[:, 0], quartiles[:, 2]
    return first, third


def _cell(subject: Tuning, values: list[Any]) -> Cell:
    machine, control, measure, *values = values
    variables, numbers = values[: len(VARIABLES)], values[len(VARIABLES) :]
    cycles, low, high, first, third, rounds, samples, disturbed, unclear, timings = numbers
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
        unclear=unclear,
        timings=timings,
    )


def per_key(cell: Cell, variable: str) -> Cell:
    """Return the cell with its cycles divided by the value of the variable; without a variable, the cell itself."""
    if not variable:
        return cell
    keys = cell.variables[variable]
    interval = (cell.interval[0] / keys, cell.interval[1] / keys) if cell.interval else None
    quartiles = (cell.quartiles[0] / keys, cell.quartiles[1] / keys)
    return replace(cell, cycles=cell.cycles / keys, interval=interval, quartiles=quartiles)
