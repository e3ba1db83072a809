# SPDX-License-Identifier: MIT OR Apache-2.0
"""The A/A control: the apparent difference between two measurements of one executable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb
import numpy as np

from cyclometer.analyse.estimate.cells import Cell, cells, summarise
from cyclometer.analyse.estimate.comparability import Scope, one_of, quoted
from cyclometer.analyse.estimate.core_cycles import VARIABLES
from cyclometer.analyse.estimate.ranking import Spread

QUANTILE = 0.9
"""Quantile of the |log ratios| between a cell and its A/A twin that makes the spread."""

MIN_PAIRS = 5
"""Pairs below which other measures of the operation that are as costly, then disturbed cells, are included."""

MAX_POINTS = 64
"""Points of a measure (lengths, keys ...) that are compared, evenly spread over those with a twin."""

Spreads = Mapping[tuple[str, str], Spread]  # (machine, measure)


def control_spreads(connection: duckdb.DuckDBPyConnection, scope: Scope) -> Spreads:
    """Return the spread, as a ratio minus 1, of every machine and measure of the scope that has an A/A control."""
    return {
        (machine, measure): spread
        for machine in scope.machines
        for measure, spread in _spreads_on(connection, scope.on(machine)).items()
    }


def _spreads_on(connection: duckdb.DuckDBPyConnection, scope: Scope) -> dict[str, Spread]:
    """Return the spreads of one machine by measure; other machines have no influence."""
    points = _points(connection, scope)
    if not points:
        return {}
    all_cells = cells(summarise(connection, _where(connection, scope, points)))
    spreads: dict[str, Spread] = {}
    for measure in dict.fromkeys(str(point[0]) for point in points):
        same_measure = [cell for cell in all_cells if cell.measure == measure]
        is_enough = sum(cell.control and not cell.disturbed for cell in same_measure) >= MIN_PAIRS
        spread = control_spread(same_measure if is_enough else _as_costly(all_cells, same_measure))
        if spread is not None:
            spreads[measure] = spread
    return spreads


def _as_costly(candidates: Sequence[Cell], own: Sequence[Cell]) -> list[Cell]:
    """Return the cells that cost at least half of what the cheapest of `own` does.

    A cycle is a large part of a cheap measure; that would hide real differences of the costly ones.
    """
    cheapest = min(cell.cycles for cell in own)
    return [cell for cell in candidates if cell.cycles >= cheapest / 2]


def control_spread(measured: Sequence[Cell]) -> Spread | None:
    """Return QUANTILE of |log ratio| over the cells measured both ways, as a ratio minus 1; None if there are none."""
    originals = {_identity(cell): cell for cell in measured if not cell.control and cell.cycles > 0}
    pairs = [
        (cell, originals[_identity(cell)])
        for cell in measured
        if cell.control and cell.cycles > 0 and _identity(cell) in originals
    ]
    if not pairs:
        return None
    quiet = [pair for pair in pairs if not any(cell.disturbed for cell in pair)]
    every = _quantile(pairs)
    return Spread(quiet=_quantile(quiet) if len(quiet) >= MIN_PAIRS else every, every=every)


def _quantile(pairs: Sequence[tuple[Cell, Cell]]) -> float:
    logs = [abs(np.log(cell.cycles / twin.cycles)) for cell, twin in pairs]
    return float(np.expm1(np.quantile(logs, QUANTILE)))


def _identity(cell: Cell) -> tuple[object, ...]:
    return (cell.machine, cell.subject, cell.measure, *cell.variables.values())


def _points(connection: duckdb.DuckDBPyConnection, scope: Scope) -> list[tuple[str | int, ...]]:
    """Return (measure, variables ...) of the twins, at most MAX_POINTS per measure."""
    rows = connection.sql(
        f"SELECT DISTINCT measure, {', '.join(VARIABLES)} FROM points "
        f"WHERE control AND measure <> 'empty' AND {scope.sql()} ORDER BY ALL"
    ).fetchall()
    chosen: list[tuple[str | int, ...]] = []
    for measure in dict.fromkeys(row[0] for row in rows):
        same_measure = [row for row in rows if row[0] == measure]
        indices = np.unique(np.linspace(0, len(same_measure) - 1, MAX_POINTS).round().astype(int))
        chosen += [same_measure[index] for index in indices]
    return chosen


def _where(connection: duckdb.DuckDBPyConnection, scope: Scope, points: Sequence[tuple[str | int, ...]]) -> str:
    """Return the SQL condition for both cells of each pair: tunings that have a twin, at these points."""
    tuning = "primitive, implementation, compiler"
    tunings = connection.sql(
        f"SELECT DISTINCT {tuning} FROM points WHERE control AND {scope.sql()} ORDER BY ALL"
    ).fetchall()
    # A condition on each column by itself lets the reader skip row groups; the pairs are then exact.
    columns = zip(("measure", *VARIABLES), zip(*points, strict=True), strict=True)
    column_conditions = [one_of(name, sorted(set(values))) for name, values in columns]
    column_conditions.append(one_of("primitive", sorted({row[0] for row in tunings})))
    return (
        f"{scope.sql()} AND {' AND '.join(column_conditions)} "
        f"AND ({tuning}) IN ({', '.join(_literal(row) for row in tunings)}) "
        f"AND (measure, {', '.join(VARIABLES)}) IN ({', '.join(_literal(point) for point in points)})"
    )


def _literal(values: Sequence[str | int]) -> str:
    return f"({', '.join(quoted(value) if isinstance(value, str) else str(value) for value in values)})"
