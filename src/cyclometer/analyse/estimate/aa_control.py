# SPDX-License-Identifier: MIT OR Apache-2.0
"""The A/A control: how far the same executable, measured as if it were another, is from itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb
import numpy as np

from cyclometer.analyse.estimate.cells import Cell, cells, summarise
from cyclometer.analyse.estimate.comparability import Scope, one_of, quoted
from cyclometer.analyse.estimate.core_cycles import VARIABLES
from cyclometer.analyse.estimate.ranking import Spread

QUANTILE = 0.9
"""Of the |log ratios| between a cell and its twin: what nine in ten stay below."""

ENOUGH_TWINS = 5
"""Pairs below which more is taken in: other measures of the operation, then disturbed cells."""

MOST_POINTS = 64
"""Points of a measure (lengths, keys ...) that are compared: evenly spread over those with a twin."""

Spreads = Mapping[tuple[str, str], Spread]  # (machine, measure)


def control_spreads(connection: duckdb.DuckDBPyConnection, scope: Scope) -> Spreads:
    """The spread of every machine and measure of the scope that has an A/A control."""
    return {
        (machine, measure): spread
        for machine in scope.machines
        for measure, spread in _spreads_on(connection, scope.on(machine)).items()
    }


def _spreads_on(connection: duckdb.DuckDBPyConnection, scope: Scope) -> dict[str, Spread]:
    """By measure; what other machines measured has no say."""
    points = _points(connection, scope)
    if not points:
        return {}
    found = cells(summarise(connection, _where(connection, scope, points)))
    spreads: dict[str, Spread] = {}
    for measure in dict.fromkeys(str(point[0]) for point in points):
        alike = [cell for cell in found if cell.measure == measure]
        enough = sum(cell.control and not cell.disturbed for cell in alike) >= ENOUGH_TWINS
        spread = control_spread(alike if enough else found)
        if spread is not None:
            spreads[measure] = spread
    return spreads


def control_spread(found: Sequence[Cell]) -> Spread | None:
    """QUANTILE of |log ratio| over the cells measured both ways, as a ratio minus 1; None without any."""
    plain = {_identity(cell): cell for cell in found if not cell.control and cell.cycles > 0}
    pairs = [
        (cell, plain[_identity(cell)])
        for cell in found
        if cell.control and cell.cycles > 0 and _identity(cell) in plain
    ]
    if not pairs:
        return None
    quiet = [pair for pair in pairs if not any(cell.disturbed for cell in pair)]
    every = _quantile(pairs)
    return Spread(quiet=_quantile(quiet) if len(quiet) >= ENOUGH_TWINS else every, every=every)


def _quantile(pairs: Sequence[tuple[Cell, Cell]]) -> float:
    logs = [abs(np.log(cell.cycles / twin.cycles)) for cell, twin in pairs]
    return float(np.expm1(np.quantile(logs, QUANTILE)))


def _identity(cell: Cell) -> tuple[object, ...]:
    return (cell.machine, cell.subject, cell.measure, *cell.variables.values())


def _points(connection: duckdb.DuckDBPyConnection, scope: Scope) -> list[tuple[str | int, ...]]:
    """(measure, variables ...) of the twins, at most MOST_POINTS a measure."""
    rows = connection.sql(
        f"SELECT DISTINCT measure, {', '.join(VARIABLES)} FROM points "
        f"WHERE control AND measure <> 'empty' AND {scope.sql()} ORDER BY ALL"
    ).fetchall()
    chosen: list[tuple[str | int, ...]] = []
    for measure in dict.fromkeys(row[0] for row in rows):
        alike = [row for row in rows if row[0] == measure]
        places = np.unique(np.linspace(0, len(alike) - 1, MOST_POINTS).round().astype(int))
        chosen += [alike[place] for place in places]
    return chosen


def _where(connection: duckdb.DuckDBPyConnection, scope: Scope, points: Sequence[tuple[str | int, ...]]) -> str:
    """Both of each pair: the tunings that have a twin, at these points."""
    tuning = "primitive, implementation, compiler"
    tunings = connection.sql(
        f"SELECT DISTINCT {tuning} FROM points WHERE control AND {scope.sql()} ORDER BY ALL"
    ).fetchall()
    # A condition on each column by itself lets the reader skip row groups; the pairs are then exact.
    columns = zip(("measure", *VARIABLES), zip(*points, strict=True), strict=True)
    skipping = [one_of(name, sorted(set(values))) for name, values in columns]
    skipping.append(one_of("primitive", sorted({row[0] for row in tunings})))
    return (
        f"{scope.sql()} AND {' AND '.join(skipping)} "
        f"AND ({tuning}) IN ({', '.join(_literal(row) for row in tunings)}) "
        f"AND (measure, {', '.join(VARIABLES)}) IN ({', '.join(_literal(point) for point in points)})"
    )


def _literal(values: Sequence[str | int]) -> str:
    return f"({', '.join(quoted(value) if isinstance(value, str) else str(value) for value in values)})"
