# SPDX-License-Identifier: MIT OR Apache-2.0
"""Published figures beside ours: then, now, the ratio of the two, and how the order has changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import duckdb

from cyclometer.analyse.estimate.aa_control import control_spreads
from cyclometer.analyse.estimate.calibration import calibration_of
from cyclometer.analyse.estimate.cells import Cell, cells, summarise
from cyclometer.analyse.estimate.comparability import OLDEST_FIRST, RUNS, comparable, context, one_of, overhead_of
from cyclometer.analyse.published_placement import PlacedValues, placed_values
from cyclometer.analyse.tables.units import figure_in_cycles
from cyclometer.records.digits import error_of
from cyclometer.records.published import Match, Published, PublishedFigure
from cyclometer.records.run import RunInfo
from cyclometer.records.table import RATIO, Column, Context, Row, Table, Value

VIEW = "published"

Point = tuple[str, str, str, int, int]  # operation, primitive, measure, length, keys
Ours = Mapping[tuple[str, Point], Value]  # by machine
Sizes = Mapping[tuple[str, str, str, str], int]  # machine, operation, primitive, name


@dataclass(frozen=True, kw_only=True)
class _Line:
    """A published figure in the unit of ours, and ours."""

    figure: PublishedFigure
    match: Match
    then: float
    now: Value | None


def published_tables(
    connection: duckdb.DuckDBPyConnection, infos: Sequence[RunInfo], published: Published
) -> list[Table]:
    """Return a table for each published column and each machine of ours that measured some of it. Needs `prepare`."""
    ours, sizes = _ours(connection, infos, published), _sizes(connection)
    placed = placed_values(connection, infos, published)
    tables = []
    for machine in sorted({info.machine for info in infos}):
        for column in _columns(published):
            lines = [line for figure in column if (line := _line(published, figure, machine, ours, sizes, placed))]
            if any(line.now for line in lines):
                tables.append(_table(published, lines, _context(connection, infos, machine, lines[0])))
    return tables


def _context(connection: duckdb.DuckDBPyConnection, infos: Sequence[RunInfo], machine: str, line: _Line) -> Context:
    """Return what a reader must know about our numbers in a table."""
    own = [info for info in infos if info.machine == machine]
    scope = comparable(own, line.match.operation)[0]
    measure = line.match.measures.get(line.figure.measure, "")
    spread = control_spreads(connection, scope).get((machine, measure))
    overhead, calibration = overhead_of(connection, scope, machine), calibration_of(connection, scope, machine)
    return context(scope, machine, spread.quiet if spread else None, overhead, calibration)


def _columns(published: Published) -> Iterator[list[PublishedFigure]]:
    """Yield the figures that stand in one column: the same but for the system."""
    columns: dict[tuple[object, ...], list[PublishedFigure]] = {}
    for figure in published.figures:
        if published.match(figure):
            key = (figure.document, figure.table, figure.machine, figure.measure, figure.length, figure.keys)
            columns.setdefault(key, []).append(figure)
    yield from columns.values()


def _line(
    published: Published, figure: PublishedFigure, machine: str, ours: Ours, sizes: Sizes, placed: PlacedValues
) -> _Line | None:
    match = published.match(figure)
    assert match
    system = match.system(figure.system)
    if figure.unit == "bytes":
        size = sizes.get((machine, match.operation, system, match.sizes[figure.measure]))
        return _Line(figure=figure, match=match, then=figure.value, now=None if size is None else Value(value=size))
    if match.timings:
        return _Line(figure=figure, match=match, then=figure.value, now=placed.get((machine, figure)))
    then = _cycles(published, figure)
    now = ours.get((machine, _point(match, figure)))
    return None if then is None else _Line(figure=figure, match=match, then=then, now=_scaled(now, match, figure))


def _cycles(published: Published, figure: PublishedFigure) -> float | None:
    """Return a figure in cycles, or in cycles per byte; None if its clock rate is not known."""
    if figure.unit in {"cycles", "cycles/byte"}:
        return figure.value
    megahertz = published.megahertz.get((figure.document, figure.machine)) or published.megahertz.get(
        (figure.document, "")
    )
    if not megahertz:
        return None
    return figure.value * megahertz * 1000 if figure.unit == "ms" else 8 * megahertz / figure.value


def _point(match: Match, figure: PublishedFigure) -> Point:
    length = match.length if match.length is not None else figure.length or 0
    return match.operation, match.system(figure.system), match.measures[figure.measure], length, figure.keys or 1


def _scaled(now: Value | None, match: Match, figure: PublishedFigure) -> Value | None:
    """Return ours per byte if the document's figure is."""
    if now is None or figure.unit not in {"cycles/byte", "Mb/s"} or isinstance(now.value, str):
        return now
    return now.times(1 / (match.bytes or figure.length or 1))


def _ours(connection: duckdb.DuckDBPyConnection, infos: Sequence[RunInfo], published: Published) -> Ours:
    """Return our headlines at every published point, of the fastest tuning."""
    points = [
        _point(match, figure)
        for figure in published.figures
        if (match := published.match(figure)) and figure.measure in match.measures and not match.timings
    ]
    if not points:
        return {}
    names = ("operation", "primitive", "measure", "length", "keys")
    columns = zip(names, zip(*points, strict=True), strict=True)
    where = " AND ".join(one_of(name, sorted(set(values))) for name, values in columns)
    scopes = [comparable(infos, operation)[0] for operation in sorted({point[0] for point in points})]
    where += f" AND ({' OR '.join(f'({scope.sql()})' for scope in scopes if scope.infos) or 'false'})"
    found: dict[tuple[str, Point], Value] = {}
    for cell in cells(summarise(connection, f"NOT control AND {where} AND ad_length = 0 AND alignment = 0")):
        key = cell.machine, _point_of(cell)
        known = found.get(key)
        if cell.cycles > 0 and (known is None or cell.cycles < float(known.value)):
            found[key] = figure_in_cycles(cell)
    return found


def _point_of(cell: Cell) -> Point:
    subject, variables = cell.subject, cell.variables
    return subject.operation, subject.primitive, cell.measure, variables["length"], variables["keys"]


def _sizes(connection: duckdb.DuckDBPyConnection) -> Sizes:
    rows = connection.sql(
        f"SELECT machine, operation, primitive, name, value FROM sizes {RUNS} ORDER BY {OLDEST_FIRST}"
    ).fetchall()
    return {(machine, operation, primitive, name): value for machine, operation, primitive, name, value in rows}


def _table(published: Published, lines: Sequence[_Line], about: Context) -> Table:
    figure, match = lines[0].figure, lines[0].match
    unit = {"bytes": "bytes", "cycles": "core cycles", "ms": "core cycles"}.get(figure.unit, "core cycles/byte")
    order = _order(lines)
    cpu = published.cpus.get((figure.document, figure.machine), "") or figure.machine
    where = [f"{figure.length} bytes" if figure.length is not None else "", _keys(figure)]
    title = ", ".join(part for part in (figure.measure, *where) if part)
    machine = f"{figure.machine} ({cpu})" if cpu != figure.machine else cpu
    return Table(
        view=VIEW,
        operation=match.operation,
        measure=match.measures.get(figure.measure, ""),
        title=f"{figure.document}, {figure.table}: {title}, {unit}; then on {machine or 'any machine'}",
        variable="published",
        columns=(
            Column(label="then", unit=unit),
            Column(label="now", unit=unit),
            Column(label="then / now", unit=RATIO),
            Column(label="order", unit=""),
        ),
        rows=tuple(_row(line, order) for line in sorted(lines, key=lambda line: line.then)),
        contexts=(about,),
    )


def _keys(figure: PublishedFigure) -> str:
    return "" if figure.keys in {None, 1} else f"{figure.keys} active keys"


def _order(lines: Sequence[_Line]) -> dict[str, str]:
    """Return the place then and now of each system that has both."""
    both = [line for line in lines if line.now]
    then = sorted(both, key=lambda line: line.then)
    now = sorted(both, key=lambda line: float(line.now.value) if line.now else 0.0)
    return {line.figure.system: f"{then.index(line) + 1} → {now.index(line) + 1}" for line in both}


def _ratio(then: float, now: Value) -> Value:
    """Return how many times as fast ours is, with its error and its marks."""
    ratio, error = then / float(now.value), error_of(now)
    error = error and ratio * error / float(now.value)
    return Value(value=ratio, error=error, disturbed=now.disturbed, varies=now.varies, unclear=now.unclear)


def _row(line: _Line, order: Mapping[str, str]) -> Row:
    now = float(line.now.value) if line.now else 0.0
    return Row(
        operation=line.match.operation,
        primitive=line.match.system(line.figure.system),
        implementation="",
        compiler="",
        label=line.figure.system,
        figures=(
            Value(value=line.then),
            line.now,
            _ratio(line.then, line.now) if line.now and now > 0 else None,
            Value(value=order.get(line.figure.system, "")),
        ),
    )
