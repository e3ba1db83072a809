# SPDX-License-Identifier: MIT OR Apache-2.0
"""Trials of placement as cells: the first timing after an eviction, the settled one, and the curve between."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import duckdb

from cyclometer.analyse.estimate.comparability import Scope, one_of
from cyclometer.analyse.estimate.core_cycles import CHAIN, SUBJECT, TYPICAL
from cyclometer.records.tuning import Tuning

SETTLED_FROM = 10
"""The timings of a series from this one on, counted from 1, are settled."""

_WHERE = "length, ad_length, alignment, output_alignment, key_alignment, cold, call_site, between"
_STATE = f"run, machine, {SUBJECT}, measure, {_WHERE}, link, environment, round"


@dataclass(frozen=True, kw_only=True)
class PlacedCell:
    """One tuning at one point and placement in one process, in core cycles, overhead subtracted."""

    machine: str
    subject: Tuning
    measure: str
    length: int
    ad_length: int
    alignment: int
    output_alignment: int
    key_alignment: int
    cold: str
    call_site: int
    between: int
    link: int
    environment: int
    round: int
    first: float  # of the trials' first timings
    settled: float
    curve: tuple[float, ...]  # of the timings 1, 2, 3 ... of all trials

    @property
    def is_warm(self) -> bool:
        """Whether nothing was evicted and no other code ran."""
        return not self.cold and not self.between


def placed_cells(
    connection: duckdb.DuckDBPyConnection,
    scope: Scope,
    primitives: Collection[str] | None,
    lengths: Collection[int] | None = None,
) -> list[PlacedCell]:
    """Return the cells of placement of a scope, of all lengths unless some are named. Needs `prepare`.

    The overhead is that of an empty call in the same state, timing by timing, as its median over the run. The clock is
    that of the cell's shortest chain: a disturbance only lengthens one, and a cell may have few.
    """
    where = f"({scope.sql()}) AND {'true' if primitives is None else one_of('primitive', sorted(primitives))}"
    if lengths is not None:
        where += f" AND (measure = 'empty' OR {one_of('length', sorted(lengths))})"
    rows = connection.sql(_sql(where)).fetchall()
    cells = []
    for operation, primitive, implementation, compiler, machine, measure, *values, first, settled, curve in rows:
        names = (*_WHERE.split(", "), "link", "environment", "round")
        subject = Tuning(operation=operation, primitive=primitive, implementation=implementation, compiler=compiler)
        cells.append(
            PlacedCell(
                machine=machine,
                subject=subject,
                measure=measure,
                first=first,
                settled=settled,
                curve=tuple(curve),
                **dict(zip(names, values, strict=True)),
            )
        )
    return cells


def _sql(where: str) -> str:
    return f"""
    WITH trials AS (
        SELECT {_STATE}, {CHAIN} AS chain, series, context_switches FROM placed WHERE {where}),
    usable AS (
        SELECT *, min(context_switches) OVER (PARTITION BY {_STATE}) AS least FROM trials),
    timings AS (
        SELECT * EXCLUDE (series, least, context_switches), unnest(series) AS ticks,
               generate_subscripts(series, 1) AS number
        FROM usable WHERE context_switches = least),
    numbered AS (
        SELECT {_STATE}, number, min(chain) AS chain, list_sort(list(ticks)) AS s FROM timings GROUP BY ALL),
    typical AS (
        SELECT {_STATE}, number, chain, {TYPICAL} AS ticks
        FROM numbered LEFT JOIN coarse_timers USING (run, machine)),
    late AS (
        SELECT {_STATE}, list_sort(list(ticks)) AS s FROM timings
        WHERE number > {SETTLED_FROM} OR number = (SELECT max(number) FROM timings t WHERE t.measure = timings.measure)
        GROUP BY ALL),
    settled AS (
        SELECT {_STATE}, {TYPICAL} AS late_ticks FROM late LEFT JOIN coarse_timers USING (run, machine)),
    empties AS (
        SELECT run, machine, {SUBJECT}, cold, number, median(ticks) AS empty
        FROM typical WHERE measure = 'empty' GROUP BY ALL),
    calls AS (SELECT run, machine, {SUBJECT}, median(empty) AS call FROM empties WHERE cold = '' GROUP BY ALL),
    alone AS (SELECT run, machine, {SUBJECT}, median(overhead) AS overhead FROM overheads GROUP BY ALL),
    scaled AS (
        SELECT typical.*, empty - call + coalesce(overhead, call) AS less, coalesce(overhead, call) AS hot,
               if(chain_cycles IS NULL, 1, chain_cycles / (chain - coalesce(overhead, 0))) AS scale
        FROM typical LEFT JOIN empties USING (run, machine, {SUBJECT}, cold, number)
        LEFT JOIN calls USING (run, machine, {SUBJECT}) LEFT JOIN alone USING (run, machine, {SUBJECT})
        LEFT JOIN conversions USING (run, machine)
        WHERE measure <> 'empty')
    SELECT {SUBJECT}, machine, measure, {_WHERE}, link, environment, round,
           any_value((ticks - greatest(less, hot)) * scale) FILTER (number = 1) AS first,
           coalesce(any_value((late_ticks - hot) * scale), any_value((ticks - hot) * scale)) AS settled,
           list((ticks - if(number = 1, greatest(less, hot), hot)) * scale ORDER BY number) AS curve
    FROM scaled LEFT JOIN settled USING ({", ".join(_STATE.split(", "))})
    GROUP BY ALL ORDER BY ALL
    """


def settled_by_place(cells: Sequence[PlacedCell]) -> dict[tuple[int, ...], list[float]]:
    """Return the settled times of one tuning, measure and length by where things are; a list has one per process."""
    places: dict[tuple[int, ...], list[float]] = {}
    for cell in cells:
        if cell.is_warm:
            key = (cell.call_site, cell.alignment, cell.output_alignment, cell.key_alignment, cell.link)
            places.setdefault((*key, cell.environment), []).append(cell.settled)
    return places
