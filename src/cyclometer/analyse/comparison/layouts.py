# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two sides in the same layouts: their ratio layout by layout, its interval over layouts, and how often it turns.

A layout is a link with an environment. The objects of the two sides differ, but their order is drawn alike, and the
padding, the environment and the offset of the stack are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

import duckdb
import numpy as np

from cyclometer.analyse.comparison.ratios import CompareOptions
from cyclometer.analyse.comparison.sides import Side
from cyclometer.analyse.estimate.cell_source import SampleSource
from cyclometer.analyse.estimate.comparability import Scope, context
from cyclometer.analyse.estimate.core_cycles import figure_unit
from cyclometer.analyse.estimate.estimators import median_interval
from cyclometer.analyse.estimate.placement import PlacedCell, placed_cells
from cyclometer.analyse.estimate.variation import by_layout
from cyclometer.records.table import RATIO, Column, Context, Row, Table, Value

Times = dict[tuple[int, int], float]  # by link and environment


@dataclass(frozen=True, kw_only=True)
class LayoutRatio:
    """One measure and length of two sides in all layouts that both were measured in."""

    measure: str
    length: int
    cycles: tuple[float, float]  # medians over layouts
    ratios: tuple[float, ...]  # cycles of the second over those of the first, by layout

    @property
    def value(self) -> float:
        """The median ratio."""
        return median(self.ratios)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the median ratio, over layouts."""
        low, high = median_interval(np.array([self.ratios]))
        return float(low[0]), float(high[0])

    @property
    def turns(self) -> float:
        """The share of layouts in which the other side is faster than by the median."""
        other = [ratio for ratio in self.ratios if (ratio < 1 if self.value > 1 else ratio > 1)]
        return len(other) / len(self.ratios)


def layout_ratios(
    connection: duckdb.DuckDBPyConnection, sides: tuple[Side, Side], options: CompareOptions
) -> list[LayoutRatio]:
    """Return the ratios at every point that both sides have in several layouts; [] without any. Needs `prepare`."""
    first, second = (_times(connection, side, options) for side in sides)
    found = []
    for point in sorted(first.keys() & second.keys()):
        ours, theirs = first[point], second[point]
        both = [layout for layout in ours if layout in theirs and min(ours[layout], theirs[layout]) > 0]
        if len(both) > 1:
            found.append(
                LayoutRatio(
                    measure=point[0],
                    length=point[1],
                    cycles=(median(ours[layout] for layout in both), median(theirs[layout] for layout in both)),
                    ratios=tuple(theirs[layout] / ours[layout] for layout in both),
                )
            )
    return found


def _times(connection: duckdb.DuckDBPyConnection, side: Side, options: CompareOptions) -> dict[tuple[str, int], Times]:
    """Return the settled time in each layout, by measure and length."""
    cells: dict[tuple[str, int], list[PlacedCell]] = {}
    for cell in placed_cells(connection, _scope(side), [side.subject.primitive]):
        asked = (not options.measures or cell.measure in options.measures) and (
            not options.lengths or cell.length in options.lengths
        )
        if asked and cell.subject == side.subject:
            cells.setdefault((cell.measure, cell.length), []).append(cell)
    return {point: by_layout(own) for point, own in cells.items()}


def _scope(side: Side) -> Scope:
    return Scope(operation=side.subject.operation, infos=(side.info,))


def layout_tables(source: SampleSource, sides: tuple[Side, Side], options: CompareOptions) -> list[Table]:
    """Return a table for each measure of which both sides have several layouts."""
    if not source.has_placement:
        return []
    groups: dict[str, list[LayoutRatio]] = {}
    for each in layout_ratios(source.connection, sides, options):
        groups.setdefault(each.measure, []).append(each)
    return [
        _table(sides, measure, own, tuple(dict.fromkeys(_context(source, side, measure) for side in sides)))
        for measure, own in groups.items()
    ]


def _context(source: SampleSource, side: Side, measure: str) -> Context:
    scope, machine = _scope(side), side.info.machine
    spread = source.spreads(scope).get((machine, measure))
    overhead, calibration = source.overhead(scope, machine), source.calibration(scope, machine)
    return context(scope, machine, spread.quiet if spread else None, overhead, calibration)


def _table(sides: tuple[Side, Side], measure: str, results: list[LayoutRatio], contexts: tuple[Context, ...]) -> Table:
    a, b = sides
    units = [figure_unit(side.info) for side in sides]
    return Table(
        view="layouts",
        operation=a.subject.operation,
        measure=measure,
        title=f"{measure}, over {max(len(each.ratios) for each in results)} layouts",
        variable="comparison",
        columns=(
            Column(label=a.label, unit=units[0]),
            Column(label=b.label, unit=units[1]),
            Column(label=f"{b.letter} / {a.letter}", unit=RATIO),
            Column(label="95 % interval", unit=""),
            Column(label="faster", unit=""),
            Column(label="order turns in", unit=""),
        ),
        rows=tuple(_row(sides, each) for each in results),
        contexts=contexts,
        rows_are="length",
    )


def _row(sides: tuple[Side, Side], result: LayoutRatio) -> Row:
    low, high = result.interval
    faster = sides[0].label if low > 1 else sides[1].label if high < 1 else "no difference seen"
    count = len(result.ratios)
    return Row(
        operation=sides[0].subject.operation,
        primitive="",
        implementation="",
        compiler="",
        label=str(result.length),
        figures=(
            Value(value=result.cycles[0]),
            Value(value=result.cycles[1]),
            Value(value=result.value, interval=result.interval, rounds=count),
            Value(value=f"{low:.3f}..{high:.3f}"),
            Value(value=faster),
            Value(value=f"{100 * result.turns:.0f} % of {count} layouts"),
        ),
    )
