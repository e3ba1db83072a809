# SPDX-License-Identifier: MIT OR Apache-2.0
"""The A/A control: the apparent difference between two measurements of one executable."""

from __future__ import annotations

import itertools
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

TOGETHER = 16
"""Machines that are read at once."""

Spreads = Mapping[tuple[str, str], Spread]  # (machine, measure)


def control_spreads(connection: duckdb.DuckDBPyConnection, scope: Scope) -> Spreads:
    """Return the spread, as a ratio minus 1, of every machine and measure of the scope that has an A/A control.

    Machines are read together, but have no influence on each other.
    """
    spreads: dict[tuple[str, str], Spread] = {}
    for start in range(0, len(scope.machines), TOGETHER):
        group = scope.on(*scope.machines[start : start + TOGETHER])
        points = _points(connection, group)
        if points:
            found = cells(summarise(connection, _where(connection, group, points)))
            for machine in group.machines:
                its_own = [cell for cell in found if cell.machine == machine]
                spreads |= {(machine, measure): spread for measure, spread in _spreads(its_own).items()}
    return spreads


def spreads_of(measured: Sequence[Cell]) -> dict[str, Spread]:
    """Return the spreads by measure from all cells of one operation on one machine, twins among them."""
    twins = [cell for cell in measured if cell.control]
    chosen: set[tuple[object, ...]] = set()
    for measure in {cell.measure for cell in twins}:
        points = sorted({(measure, *cell.variables.values()) for cell in twins if cell.measure == measure})
        chosen.update(points[index] for index in _evenly(len(points)))
    tunings = {cell.subject for cell in twins}
    return _spreads(
        [cell for cell in measured if cell.subject in tunings and (cell.measure, *cell.variables.values()) in chosen]
    )


def _evenly(count: int) -> list[int]:
    """Return at most MAX_POINTS indices below `count`."""
    indices: list[int] = np.unique(np.linspace(0, count - 1, MAX_POINTS).round().astype(int)).tolist()
    return indices


def _spreads(measured: Sequence[Cell]) -> dict[str, Spread]:
    """Return the spreads of one machine by measure, from its twins and their originals."""
    spreads: dict[str, Spread] = {}
    for measure in sorted({cell.measure for cell in measured if cell.control}):
        same_measure = [cell for cell in measured if cell.measure == measure]
        is_enough = sum(cell.control and not cell.disturbed for cell in same_measure) >= MIN_PAIRS
        spread = control_spread(same_measure if is_enough else _as_costly(measured, same_measure))
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


PointOfMachine = tuple[str | int, ...]  # machine, measure, variables ...


def _points(connection: duckdb.DuckDBPyConnection, scope: Scope) -> list[PointOfMachine]:
    """Return the points of the twins, at most MAX_POINTS per machine and measure."""
    rows = connection.sql(
        f"SELECT DISTINCT machine, measure, {', '.join(VARIABLES)} FROM points "
        f"WHERE control AND measure <> 'empty' AND {scope.sql()} ORDER BY ALL"
    ).fetchall()
    chosen: list[PointOfMachine] = []
    for _, of_a_measure in itertools.groupby(rows, key=lambda row: row[:2]):
        points = list(of_a_measure)
        chosen += [points[index] for index in _evenly(len(points))]
    return chosen


def _where(connection: duckdb.DuckDBPyConnection, scope: Scope, points: Sequence[PointOfMachine]) -> str:
    """Return the SQL condition for both cells of each pair: tunings that have a twin, at these points."""
    tuning = "machine, primitive, implementation, compiler"
    tunings = connection.sql(
        f"SELECT DISTINCT {tuning} FROM points WHERE control AND {scope.sql()} ORDER BY ALL"
    ).fetchall()
    # A condition on each column by itself lets the reader skip row groups; the pairs are then exact.
    columns = zip(("machine", "measure", *VARIABLES), zip(*points, strict=True), strict=True)
    column_conditions = [one_of(name, sorted(set(values))) for name, values in columns]
    column_conditions.append(one_of("primitive", sorted({row[1] for row in tunings})))
    return (
        f"{scope.sql()} AND {' AND '.join(column_conditions)} "
        f"AND ({tuning}) IN ({', '.join(_literal(row) for row in tunings)}) "
        f"AND (machine, measure, {', '.join(VARIABLES)}) IN ({', '.join(_literal(point) for point in points)})"
    )


def _literal(values: Sequence[str | int]) -> str:
    return f"({', '.join(quoted(value) if isinstance(value, str) else str(value) for value in values)})"
