# SPDX-License-Identifier: MIT OR Apache-2.0
"""A ladder as tables: the calls, what predicts them, and what each call consists of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cyclometer.analyse import Cell, Rank, ranks
from cyclometer.analyse.tables.units import figure_in_cycles
from cyclometer.protocols.predict import CAUSES, Prediction, predictions
from cyclometer.protocols.rungs import Rung
from cyclometer.protocols.stored import Ladder, Place
from cyclometer.records.run import PROTOCOL
from cyclometer.records.table import PERCENT, Column, Row, Table, Value

SHORT = dict(zip(CAUSES, ("cold", "overlap", "indirect", "allocation", "copies", "system"), strict=True))

RESIDUALS = frozenset({"residual", "unexplained"})
"""The columns that are what is measured less what is predicted."""

COUNTS = {
    "cpu_us": "CPU ns",  # microseconds in 1000 calls
    "system_calls": "system calls",
    "server_switches": "switches",
    "allocations": "allocations",
    "copied_bytes": "bytes copied",
    "wire_bytes": "bytes sent",
}


def ladder_tables(ladder: Ladder) -> list[Table]:
    """Return the tables of every transport: calls, predictions, counts."""
    measures = list(dict.fromkeys(measure for measure, _, _ in ladder.places))
    tables = calls_tables(ladder)
    plain = [measure.removeprefix("call-") for measure in measures if measure.count("-") == 1]
    payloads = sorted({payload for _, payload, _ in ladder.places})
    for transport in plain:
        found = [(payload, predictions(ladder, transport, payload)) for payload in payloads]
        tables += [_predicted(ladder, transport, payload, each) for payload, each in found if each]
    counted = [(t, p) for t in plain for p in payloads if any(f":{p}:{t}" in name for _, name in ladder.counts)]
    return tables + [_counts(ladder, transport, payload) for transport, payload in counted]


def calls_tables(ladder: Ladder) -> list[Table]:
    """Return a table of each measure of whole calls."""
    return [_calls(ladder, measure) for measure in dict.fromkeys(measure for measure, _, _ in ladder.places)]


def caption(measure: str) -> str:
    """Return a measure of calls in words: the transport, the calls under way, the cores."""
    _, transport, *options = measure.split("-")
    under_way = next((word for word in options if word.isdigit()), "1")
    if transport == "queue":
        cores = "both ends in one process"
    else:
        cores = "the ends on two cores" if "apart" in options else "both ends on one core"
    calls = "one call at a time" if under_way == "1" else f"{under_way} calls under way, cycles from answer to answer"
    return f"{transport}, {calls}, {cores}"


def _calls(ladder: Ladder, measure: str) -> Table:
    places = [place for place in ladder.places if place[0] == measure]
    unit = ladder.context.unit
    columns: list[Column] = []
    cells: list[list[Value | None]] = [[] for _ in ladder.rungs]
    for place in places:
        columns += [Column(label=_label(place), unit=unit), Column(label="99 %", unit=unit)]
        if ladder.hertz:
            columns.append(Column(label="calls/s", unit="calls/s"))
        for figures, values in zip(cells, _column(ladder, place), strict=True):
            figures.extend(values)
    rows = [_row(rung, figures, ladder) for rung, figures in zip(ladder.rungs, cells, strict=True)]
    return Table(
        view="protocol-calls",
        operation=PROTOCOL,
        measure=measure,
        title=f"{unit[0].upper()}{unit[1:]} a call, by its payload in bytes: {caption(measure)}",
        variable="length",
        columns=tuple(columns),
        rows=tuple(rows),
        contexts=(ladder.context,),
        ranked_by=columns[0].label if columns else "",
        rows_are="rung",
    )


def _label(place: Place) -> str:
    return f"{place[1]}" if place[2] == 1 else f"{place[1]} ({place[2]} keys)"


def _column(ladder: Ladder, place: Place) -> list[list[Value | None]]:
    """Return, for each rung, the figures of one payload: headline, 99 % and calls a second."""
    found = [ladder.cells.get((rung.name, place)) for rung in ladder.rungs]
    measured = [cell for cell in found if cell]
    ranked = dict(zip(map(id, measured), ranks(measured, ladder.spreads.get(place[0])), strict=True))
    return [_figures(ladder, place, cell, ranked) for cell in found]


def _figures(ladder: Ladder, place: Place, cell: Cell | None, ranked: dict[int, Rank]) -> list[Value | None]:
    extra = 1 if ladder.hertz else 0
    if cell is None:
        return [None] * (2 + extra)
    tail = ladder.tails.get((cell.subject.primitive, place))
    head = figure_in_cycles(cell, ranked[id(cell)])
    figures: list[Value | None] = [head, None if tail is None else Value(value=tail)]
    if ladder.hertz:
        figures.append(per_second(ladder, cell))
    return figures


def per_second(ladder: Ladder, cell: Cell) -> Value | None:
    """Return how often a call fits into a second of one core, with the same relative error."""
    if cell.cycles <= 0 or not ladder.hertz:
        return None
    rate = ladder.hertz / cell.cycles
    return Value(value=rate, error=rate * error_of_cell(ladder, cell) / cell.cycles)


def error_of_cell(ladder: Ladder, cell: Cell) -> float:
    """Return half of a cell's 95 % interval, or what the A/A spread makes of it if that is more."""
    return max(_half_interval(cell), cell.cycles * (ladder.context.spread or 0.0))


def _half_interval(cell: Cell) -> float:
    return (cell.interval[1] - cell.interval[0]) / 2 if cell.interval else 0.0


def _row(rung: Rung, figures: Sequence[Value | None], ladder: Ladder) -> Row:
    cell = next((cell for (name, _), cell in ladder.cells.items() if name == rung.name), None)
    return Row(
        operation=PROTOCOL,
        primitive=rung.name,
        implementation=cell.subject.implementation if cell else "",
        compiler=cell.subject.compiler if cell else "",
        label=rung.name,
        figures=tuple(figures),
    )


def _predicted(ladder: Ladder, transport: str, payload: int, found: Sequence[Prediction]) -> Table:
    unit = ladder.context.unit
    columns: list[tuple[str, Callable[[Prediction], float | None]]] = [
        ("measured", lambda each: each.measured.cycles),
        ("null", lambda each: each.base),
        ("hot", lambda each: each.hot),
        ("residual", lambda each: each.residual),
        ("%", lambda each: _share(each.residual, each.predicted)),
        ("in place", lambda each: each.in_place),
        ("residual", _residual_in_place),
        *([("all cold", lambda each: each.cold), ("residual", _residual_cold)] if _is_any_cold(found) else []),
        *((SHORT[cause], _cause(cause)) for cause in CAUSES),
        ("unexplained", lambda each: each.unexplained),
        ("of added %", lambda each: _share(each.unexplained, each.added)),
    ]
    rows = []
    for each in found:
        error = _error(ladder, transport, each.measured)
        figures = [_value(figure(each), error if label in RESIDUALS else None) for label, figure in columns]
        rows.append(_row(each.rung, figures, ladder))
    return Table(
        view="protocol-prediction",
        operation=PROTOCOL,
        measure=f"call-{transport}",
        title=f"What isolated speeds predict, and where the rest goes: {transport}, {payload} bytes, {unit} a call",
        variable="cause",
        columns=tuple(Column(label=label, unit=PERCENT if "%" in label else unit) for label, _ in columns),
        rows=tuple(rows),
        contexts=(ladder.context,),
        rows_are="rung",
    )


def _is_any_cold(found: Sequence[Prediction]) -> bool:
    return any(each.cold is not None for each in found)


def _residual_cold(each: Prediction) -> float | None:
    return None if each.predicted_cold is None else each.measured.cycles - each.predicted_cold


def _residual_in_place(each: Prediction) -> float | None:
    return None if each.predicted_in_place is None else each.measured.cycles - each.predicted_in_place


def _cause(name: str) -> Callable[[Prediction], float | None]:
    return lambda each: each.causes[name]


def _share(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole > 0 else None


def _error(ladder: Ladder, transport: str, measured: Cell) -> float:
    """Return what a call's time may be off by, and so at least what its difference to a prediction may be."""
    half = _half_interval(measured)
    spread = ladder.spreads.get(f"call-{transport}")
    return max(half, spread.of(measured) * measured.cycles if spread else 0.0)


def _value(number: float | None, error: float | None = None) -> Value | None:
    """Return a number as a figure; with the error of a difference, noise is shown as nothing measurable."""
    return None if number is None else Value(value=float(number), error=error, is_difference=error is not None)


def per_call(count: str, in_1000_calls: int | None) -> float | None:
    """Return a count per call. No CPU time at all is not known: some clocks advance in steps longer than 1000 calls."""
    if count == "cpu_us":
        return in_1000_calls or None
    return None if in_1000_calls is None else in_1000_calls / 1000


def _counts(ladder: Ladder, transport: str, payload: int) -> Table:
    rows = []
    for rung in ladder.rungs:
        values = {count: ladder.counts.get((rung.name, f"{count}:{payload}:{transport}")) for count in COUNTS}
        rows.append(_row(rung, [_value(per_call(count, value)) for count, value in values.items()], ladder))
    return Table(
        view="protocol-counts",
        operation=PROTOCOL,
        measure=f"call-{transport}",
        title=f"What a call needs, both ends together: {transport}, {payload} bytes (switches: the server's)",
        variable="count",
        columns=tuple(Column(label=label, unit="") for label in COUNTS.values()),
        rows=tuple(rows),
        contexts=(ladder.context,),
        rows_are="rung",
    )
