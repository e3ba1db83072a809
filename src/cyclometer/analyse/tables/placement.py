# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables of placement: best, median and worst place beside the headline, and what being cold adds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

import duckdb

from cyclometer.analyse.estimate.cell_source import CellSource, SampleSource
from cyclometer.analyse.estimate.comparability import OLDEST_FIRST, RUNS, Scope, comparable, context, one_of
from cyclometer.analyse.estimate.core_cycles import figure_unit, prepare
from cyclometer.analyse.estimate.placement import PlacedCell, placed_cells, settled_by_place
from cyclometer.analyse.estimate.variation import largest_share, order_turns
from cyclometer.analyse.tables.units import figure_in_cycles, title_unit
from cyclometer.analyse.tables.views import TableOptions, View
from cyclometer.errors import NothingToDo
from cyclometer.records.placement import ALL, COLD, PLACEMENT_VIEW
from cyclometer.records.run import TYPICAL_LENGTH, RunInfo
from cyclometer.records.table import Column, Context, Row, Table, Value
from cyclometer.records.tuning import Tuning

ALL_COLD = "all cold"
_LINE_COST = "code_line_cost"
_PREDICTED, _BY_LINE, _VARIES = "lines × miss", "+code / line", "varies most by"
_LABELS = {"tlb": "TLB"}
_REACHABLE = "reachable_bytes"
_SIZES = {_REACHABLE: "reachable", "executed_bytes": "executed", "executed_lines": "lines", "executed_pages": "pages"}


@dataclass(frozen=True, kw_only=True)
class _Summary:
    """One row: a tuning at one measure and length on one machine."""

    subject: Tuning
    headline: Value | None
    places: Mapping[tuple[int, ...], list[float]]
    added: Mapping[str, Value]  # by what is cold; of `all cold` the first timing itself
    sizes: Mapping[str, int]
    noise: float  # the A/A spread, a ratio minus 1
    varies: str  # what explains the largest share of what placement changes

    @property
    def settled(self) -> list[float]:
        """The settled time of each place, the best first."""
        return sorted(median(values) for values in self.places.values())

    @property
    def predicted(self) -> float:
        """What cold code should add: the lines executed, each at the cost of a line from memory; 0: not known."""
        return self.sizes.get("executed_lines", 0) * self.sizes.get(_LINE_COST, 0) / 100

    @property
    def sort_key(self) -> float:
        """The headline; without one, the median place."""
        return float(self.headline.value) if self.headline else median(self.settled)


def placement_tables(
    connection: duckdb.DuckDBPyConnection,
    infos: Sequence[RunInfo],
    views: Mapping[str, Sequence[View]],
    options: TableOptions,
    cached: CellSource | None = None,
) -> tuple[list[Table], list[str]]:
    """Build one table per machine, measure and length, and notes on how placement changes the order.

    As `build_tables`, for the operations of `views`; cached cells have no placement. `NothingToDo` without any.
    """
    del cached
    prepare(connection, infos)
    source = SampleSource(connection)
    tables, notes = [], []
    for operation in views:
        scope, scope_notes = comparable(infos, operation, across=options.across_contracts)
        notes += scope_notes
        names = [name.partition("/")[2] for name in options.systems if name.startswith(f"{operation}/")]
        cells = placed_cells(connection, scope, names or None, _lengths(connection, scope, options))
        spreads = source.spreads(scope) if cells else {}
        for machine in scope.machines:
            seen = context(scope, machine, None, source.overhead(scope, machine), source.calibration(scope, machine))
            for group in _groups([cell for cell in cells if cell.machine == machine], options):
                spread = spreads.get((machine, group[0].measure))
                rows = _summaries(connection, source, scope, group, spread.quiet if spread else 0.0)
                if not rows:
                    continue  # everything was cold: there is no settled place to compare it with
                tables.append(_table(scope, group, rows, replace(seen, spread=spread.quiet if spread else None)))
                notes += _notes(group, rows)
    if not tables:
        _complain_of_lengths(connection, options)
        raise NothingToDo("the selected runs have no placement; `cyclometer run --profile placement` measures it")
    return tables, list(dict.fromkeys(notes))


def _complain_of_lengths(connection: duckdb.DuckDBPyConnection, options: TableOptions) -> None:
    """Raise `NothingToDo` if there is placement, but not at the lengths asked for."""
    rows = connection.sql("SELECT DISTINCT length FROM placed WHERE measure <> 'empty' ORDER BY length").fetchall()
    if rows and options.lengths:
        asked = ",".join(map(str, options.lengths))
        raise NothingToDo(
            f"placement was not measured at length {asked}, but at {', '.join(str(length) for (length,) in rows)}; "
            f"`cyclometer run --profile placement --length {asked}` measures it"
        )


def _lengths(connection: duckdb.DuckDBPyConnection, scope: Scope, options: TableOptions) -> set[int]:
    """Return the lengths that tables will show, so that a run of every length is not read for one."""
    rows = connection.sql(f"SELECT DISTINCT measure, length FROM placed WHERE {scope.sql()}").fetchall()
    measured: dict[str, set[int]] = {}
    for measure, length in rows:
        measured.setdefault(measure, set()).add(int(length))
    typical = {min(several, key=lambda length: abs(length - TYPICAL_LENGTH)) for several in measured.values()}
    return set(options.lengths) or typical


def _groups(cells: Sequence[PlacedCell], options: TableOptions) -> list[list[PlacedCell]]:
    """Return the cells of each measure and length asked for; without a wish, of the most typical length."""
    groups: dict[tuple[str, int], list[PlacedCell]] = {}
    for cell in cells:
        if not options.measures or cell.measure in options.measures:
            groups.setdefault((cell.measure, cell.length), []).append(cell)
    lengths: dict[str, set[int]] = {}
    for measure, length in groups:
        lengths.setdefault(measure, set()).add(length)
    wanted = {
        measure: set(options.lengths) or {min(several, key=lambda length: abs(length - TYPICAL_LENGTH))}
        for measure, several in lengths.items()
    }
    return [group for (measure, length), group in groups.items() if length in wanted[measure]]


def _summaries(
    connection: duckdb.DuckDBPyConnection,
    source: SampleSource,
    scope: Scope,
    group: Sequence[PlacedCell],
    noise: float,
) -> list[_Summary]:
    one = group[0]
    primitives = sorted({cell.subject.primitive for cell in group})
    points = [(one.measure, one.length, one.ad_length, 1, 0)]
    headlines = {cell.subject: cell for cell in source.cells(scope, points, primitives) if cell.machine == one.machine}
    sizes = _sizes(connection, scope, one)
    summaries = []
    for subject in dict.fromkeys(cell.subject for cell in group):
        own = [cell for cell in group if cell.subject == subject]
        ordinary = headlines.get(subject)
        places = settled_by_place(own)
        if places:
            summaries.append(
                _Summary(
                    subject=subject,
                    headline=figure_in_cycles(ordinary) if ordinary else None,
                    places=places,
                    added=_added(own, noise),
                    sizes=sizes.get(subject.primitive, {}),
                    noise=noise,
                    varies=largest_share(own, noise),
                )
            )
    return sorted(summaries, key=lambda summary: summary.sort_key)


def _added(cells: Sequence[PlacedCell], noise: float) -> dict[str, Value]:
    """Return what each cold factor adds to the settled time of the same place; of all together the first timing.

    The error is that of the first timings, and what the A/A spread makes of the settled time.
    """
    cold = [cell for cell in cells if cell.cold]
    if not cold:
        return {}
    place = {(cell.call_site, cell.alignment, cell.link) for cell in cold}
    warm = [c.settled for c in cells if c.is_warm and (c.call_site, c.alignment, c.link) in place]
    settled = median(warm or [cell.settled for cell in cells])
    added = {}
    for name in dict.fromkeys(cell.cold for cell in cold):
        own = [cell for cell in cold if cell.cold == name]
        first = median(cell.first for cell in own)
        error = math.hypot(median(cell.first_error for cell in own), noise * settled)
        value = first if name == ALL else max(0.0, first - settled)
        added[name] = Value(value=value, error=error, is_difference=name != ALL and error > 0)
    return added


def _sizes(connection: duckdb.DuckDBPyConnection, scope: Scope, one: PlacedCell) -> dict[str, dict[str, int]]:
    """Return what single-stepping this measure and length showed, by primitive and name without its point."""
    names = {f"{name}_{one.measure}_{one.length}": name for name in _SIZES}
    names |= {name: name for name in (_REACHABLE, _LINE_COST)}
    rows = connection.execute(
        f"SELECT primitive, name, value FROM sizes {RUNS} WHERE {scope.sql()} AND machine = ? "
        f"AND {one_of('name', sorted(names))} ORDER BY {OLDEST_FIRST}",
        [one.machine],
    ).fetchall()
    sizes: dict[str, dict[str, int]] = {}
    for primitive, name, value in rows:
        sizes.setdefault(primitive, {})[names[name]] = value
    return sizes


def _table(scope: Scope, group: Sequence[PlacedCell], rows: Sequence[_Summary], seen: Context) -> Table:
    one = group[0]
    unit = figure_unit(scope.latest(one.machine))
    factors = [name for name in (*COLD, ALL) if any(name in row.added for row in rows)]
    sizes = [name for name in _SIZES if any(name in row.sizes for row in rows)]
    columns = [Column(label=label, unit=unit) for label in ("headline", "best", "median", "worst")]
    columns += [Column(label=_label(name), unit=unit) for name in factors]
    columns += [Column(label=_SIZES[name], unit=name.rpartition("_")[2]) for name in sizes]
    with_cost, with_cause = any(row.predicted for row in rows), any(row.varies for row in rows)
    columns += [Column(label=label, unit=unit) for label in (_PREDICTED, _BY_LINE)] if with_cost else []
    columns += [Column(label=_VARIES, unit="")] if with_cause else []
    length = f" ({one.length} bytes)" if one.length else ""
    return Table(
        view=PLACEMENT_VIEW,
        operation=scope.operation,
        measure=one.measure,
        title=f"{title_unit(unit)} of {one.measure}{length}, by placement",
        variable=PLACEMENT_VIEW,
        columns=tuple(columns),
        rows=tuple(_row(row, factors, sizes, with_cost=with_cost, with_cause=with_cause) for row in rows),
        contexts=(seen,),
        ranked_by="",
    )


def _label(factor: str) -> str:
    return ALL_COLD if factor == ALL else f"+{_LABELS.get(factor, factor)}"


def _row(row: _Summary, factors: Sequence[str], sizes: Sequence[str], *, with_cost: bool, with_cause: bool) -> Row:
    settled = row.settled
    places = [Value(value=each, error=row.noise * each) for each in (settled[0], median(settled), settled[-1])]
    figures = [row.headline, *places, *(row.added.get(name) for name in factors)]
    figures += [Value(value=row.sizes[name]) if name in row.sizes else None for name in sizes]
    figures += _per_line(row) if with_cost else []
    figures += [Value(value=row.varies) if row.varies else None] if with_cause else []
    return Row(
        operation=row.subject.operation,
        primitive=row.subject.primitive,
        implementation=row.subject.implementation,
        compiler=row.subject.compiler,
        label=row.subject.primitive,
        figures=tuple(figures),
    )


def _per_line(row: _Summary) -> list[Value | None]:
    """Return what the lines executed should cost if they come from memory, and what cold code adds for each of them."""
    lines, code = row.sizes.get("executed_lines", 0), row.added.get("code")
    predicted = Value(value=row.predicted) if row.predicted else None
    if not lines or code is None or code.error is None:
        return [predicted, None]
    by_line = replace(code, value=float(code.value) / lines, error=code.error / lines)
    return [predicted, by_line]


def _notes(group: Sequence[PlacedCell], rows: Sequence[_Summary]) -> list[str]:
    one = group[0]
    point = f"{one.measure} {one.length}" if one.length else one.measure
    notes = []
    by_best = [row.subject.primitive for row in sorted(rows, key=lambda row: row.settled[0])]
    by_worst = [row.subject.primitive for row in sorted(rows, key=lambda row: row.settled[-1])]
    moved = [name for name in by_best if by_best.index(name) != by_worst.index(name)]
    if moved:
        notes.append(f"{point}: rank changes between best and worst place: {', '.join(moved)}")
    for upper, lower in itertools.pairwise(rows):
        turns = order_turns(_of(group, upper), _of(group, lower))
        if turns is not None and turns > 0:
            names = f"{upper.subject.primitive} and {lower.subject.primitive}"
            notes.append(f"{point}: {names}: order turns in {100 * turns:.0f} % of layouts")
    return notes


def _of(group: Sequence[PlacedCell], row: _Summary) -> list[PlacedCell]:
    return [cell for cell in group if cell.subject == row.subject]
