# SPDX-License-Identifier: MIT OR Apache-2.0
"""Trials of placement as cells: the first timing after an eviction, the settled one, and the curve between."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import duckdb

from cyclometer.analyse.estimate.comparability import Scope, one_of
from cyclometer.analyse.estimate.core_cycles import CHAIN, SUBJECT, TYPICAL
from cyclometer.records.run import TYPICAL_LENGTH
from cyclometer.records.tuning import Tuning

SETTLED_AFTER = 10
"""The timings of a series after so many are settled; of a shorter series, the last one."""

_WHERE = "length, ad_length, alignment, output_alignment, key_alignment, cold, call_site, between"
_STATE = f"run, machine, {SUBJECT}, measure, {_WHERE}, link, environment, round"

_HALF_INTERVAL = """(s[least(len(s), CAST(ceil(len(s) / 2 + sqrt(len(s))) AS INT))]
                     - s[greatest(1, CAST(floor(len(s) / 2 - sqrt(len(s))) AS INT) + 1)]) / 2"""
"""Half of the 95 % interval of the median of a sorted list: about the square root of its length to both sides."""


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
    curve: tuple[float, ...]  # of the timings 1, 2, 3 ... of all trials; only the first at most lengths
    first_error: float = 0.0  # half of the 95 % interval of `first` over its trials

    @property
    def is_warm(self) -> bool:
        """Whether nothing was evicted and no other code ran."""
        return not self.cold and not self.between


def placed_cells(
    connection: duckdb.DuckDBPyConnection,
    scope: Scope,
    primitives: Collection[str] | None,
    lengths: Collection[int] | None = None,
    *,
    settling_at: int = TYPICAL_LENGTH,
) -> list[PlacedCell]:
    """Return the cells of placement of a scope, of all lengths unless some are named. Needs `prepare`.

    Of all lengths, only the one nearest to `settling_at` has whole curves; the others have the first point, because
    thousands of curves would take longer than all else.

    The overhead is that of an empty call in the same state, timing by timing, as its median over the run. The clock is
    that of the cell's shortest chain: a disturbance only lengthens one, and a cell may have few.
    """
    where = f"({scope.sql()}) AND {'true' if primitives is None else one_of('primitive', sorted(primitives))}"
    if lengths is not None:
        where += f" AND (measure = 'empty' OR {one_of('length', sorted(lengths))})"
    rows = connection.sql(_sql(where, settling_at if lengths is None else None)).fetchall()
    cells = []
    for operation, primitive, implementation, compiler, machine, measure, *values, first, error, settled, curve in rows:
        names = (*_WHERE.split(", "), "link", "environment", "round")
        subject = Tuning(operation=operation, primitive=primitive, implementation=implementation, compiler=compiler)
        cells.append(
            PlacedCell(
                machine=machine,
                subject=subject,
                measure=measure,
                first=first,
                first_error=error,
                settled=settled,
                curve=tuple(curve),
                **dict(zip(names, values, strict=True)),
            )
        )
    return cells


def _sql(where: str, settling_at: int | None) -> str:
    """Return the query; with None for `settling_at` the curves of every length are whole.

    A cell is a number from its trials on, because grouping by all of its columns takes long.
    """
    whole = "true" if settling_at is None else "shown.length IS NOT NULL OR measure = 'empty'"
    return f"""
    WITH trials AS (
        SELECT {_STATE}, min(context_switches) AS least,
               list({{'series': series, 'chain': {CHAIN}, 'switches': context_switches}}) AS taken
        FROM placed WHERE {where} GROUP BY ALL),
    cells AS (
        SELECT row_number() OVER () AS cell, * EXCLUDE (least, taken),
               [x.series FOR x IN taken IF x.switches = least] AS several,
               list_min([x.chain FOR x IN taken IF x.switches = least]) AS chain
        FROM trials),
    shown AS (
        SELECT {SUBJECT}, measure, arg_min(length, (abs(length - {settling_at or 0}), length)) AS length
        FROM cells GROUP BY ALL),
    timings AS (
        SELECT cell, unnest(series) AS ticks, generate_subscripts(series, 1) AS number FROM (
            SELECT cell, unnest(if({whole}, several, [x[:1] FOR x IN several])) AS series
            FROM cells LEFT JOIN shown USING ({SUBJECT}, measure, length))),
    numbered AS (SELECT cell, number, list_sort(list(ticks)) AS s FROM timings GROUP BY cell, number),
    late AS (
        SELECT cell, run, machine,
               list_sort(flatten([x[least({SETTLED_AFTER} + 1, len(x)):] FOR x IN several])) AS s
        FROM cells),
    steps AS (SELECT cell, step FROM cells LEFT JOIN coarse_timers USING (run, machine)),
    typical AS (
        SELECT cell, number, {TYPICAL} AS ticks, {_HALF_INTERVAL} AS error FROM numbered JOIN steps USING (cell)),
    settled AS (SELECT cell, {TYPICAL} AS late_ticks FROM late JOIN steps USING (cell)),
    empties AS (
        SELECT run, machine, {SUBJECT}, cold, number, median(ticks) AS empty
        FROM typical JOIN cells USING (cell) WHERE measure = 'empty' GROUP BY ALL),
    calls AS (SELECT run, machine, {SUBJECT}, median(empty) AS call FROM empties WHERE cold = '' GROUP BY ALL),
    alone AS (SELECT run, machine, {SUBJECT}, median(overhead) AS overhead FROM overheads GROUP BY ALL),
    corrections AS (
        SELECT cell, cold, run, machine, {SUBJECT}, call, overhead, coalesce(overhead, call) AS hot,
               if(chain_cycles IS NULL, 1, chain_cycles / (chain - coalesce(overhead, 0))) AS scale
        FROM cells LEFT JOIN calls USING (run, machine, {SUBJECT}) LEFT JOIN alone USING (run, machine, {SUBJECT})
        LEFT JOIN conversions USING (run, machine)
        WHERE measure <> 'empty'),
    scaled AS (
        SELECT cell, number, (ticks - if(number = 1, greatest(empty - call + hot, hot), hot)) * scale AS cycles,
               error * scale AS error
        FROM typical JOIN corrections USING (cell)
        LEFT JOIN empties USING (run, machine, {SUBJECT}, cold, number)),
    curves AS (
        SELECT cell, any_value(cycles) FILTER (number = 1) AS first,
               any_value(error) FILTER (number = 1) AS first_error, list(cycles ORDER BY number) AS curve
        FROM scaled GROUP BY cell)
    SELECT {SUBJECT}, machine, measure, {_WHERE}, link, environment, round,
           first, first_error, (late_ticks - hot) * scale AS settled, curve
    FROM cells JOIN curves USING (cell) JOIN settled USING (cell)
    JOIN (SELECT cell, hot, scale FROM corrections) USING (cell)
    ORDER BY ALL
    """


def settled_by_place(cells: Sequence[PlacedCell]) -> dict[tuple[int, ...], list[float]]:
    """Return the settled times of one tuning, measure and length by where things are; a list has one per process."""
    places: dict[tuple[int, ...], list[float]] = {}
    for cell in cells:
        if cell.is_warm:
            key = (cell.call_site, cell.alignment, cell.output_alignment, cell.key_alignment, cell.link)
            places.setdefault((*key, cell.environment), []).append(cell.settled)
    return places
