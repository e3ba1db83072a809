# SPDX-License-Identifier: MIT OR Apache-2.0
"""Published timings of successive calls after an eviction, and ours of the same number at the same call site."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

import duckdb

from cyclometer.analyse.estimate.comparability import comparable
from cyclometer.analyse.estimate.placement import PlacedCell, placed_cells
from cyclometer.records.published import Match, Published, PublishedFigure
from cyclometer.records.run import RunInfo
from cyclometer.records.table import Value

PlacedValues = dict[tuple[str, PublishedFigure], Value]  # by machine


def placed_values(
    connection: duckdb.DuckDBPyConnection, infos: Sequence[RunInfo], published: Published
) -> PlacedValues:
    """Return our timing for each published one that a machine has. Needs `prepare`."""
    groups: dict[tuple[str, str], list[tuple[PublishedFigure, Match]]] = {}
    for figure in published.figures:
        if (match := published.match(figure)) and match.timings:
            groups.setdefault((match.operation, match.system(figure.system)), []).append((figure, match))
    found: PlacedValues = {}
    for (operation, primitive), figures in groups.items():
        lengths = {figure.length for figure, _ in figures if figure.length is not None}
        cells = placed_cells(connection, comparable(infos, operation)[0], [primitive], lengths)
        for machine in dict.fromkeys(cell.machine for cell in cells):
            own = [cell for cell in cells if cell.machine == machine]
            for figure, match in figures:
                if value := _value(
                    [cell for cell in own if _is_like(cell, figure, match)], match.timings[figure.measure]
                ):
                    found[machine, figure] = value
    return found


def _is_like(cell: PlacedCell, figure: PublishedFigure, match: Match) -> bool:
    return (
        (cell.measure, cell.length, cell.cold) == (match.measures[figure.measure], figure.length, match.cold)
        and (cell.call_site, cell.alignment) == (match.sites.get(figure.system, 1), match.alignment)
        and not cell.link
    )


def _value(cells: Iterable[PlacedCell], timing: int) -> Value | None:
    """Return the median over processes of a timing, counted from 1, or of the settled ones (0)."""
    times = [cell.curve[timing - 1] if timing else cell.settled for cell in cells if len(cell.curve) >= timing]
    return Value(value=median(times), rounds=len(times)) if times else None
