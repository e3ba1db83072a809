# SPDX-License-Identifier: MIT OR Apache-2.0
"""From samples to curves and clouds: the numbers of the tables, for thousands of lengths at once.

There is one query per system and the rest is arrays, so a full run of a hundred million timings takes seconds and no
more memory than the raw timings of one system.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from cyclometer.analyse.comparison.crossovers import order
from cyclometer.analyse.curve_lengths import at, having, lengths_for
from cyclometer.analyse.estimate.aa_control import Spreads, control_spreads
from cyclometer.analyse.estimate.calibration import calibration_of
from cyclometer.analyse.estimate.cells import outer_quartiles, round_headlines
from cyclometer.analyse.estimate.comparability import (
    OLDEST_FIRST,
    RUNS,
    Scope,
    comparable,
    context,
    one_of,
    overhead_of,
    quoted,
)
from cyclometer.analyse.estimate.core_cycles import VARIABLES, corrected_sql, prepare
from cyclometer.analyse.estimate.placement import PlacedCell, placed_cells
from cyclometer.analyse.estimate.ranking import Spread
from cyclometer.analyse.placement_curves import placed_curves
from cyclometer.records.columns import Columns, lists_of
from cyclometer.records.curve import Cloud, Curve, Floats, Integers, Ordering, PairOrder, PlotData, PlotInputs, System
from cyclometer.records.length_unit import BYTES
from cyclometer.records.run import TYPICAL_LENGTH, RunInfo
from cyclometer.records.table import Context
from cyclometer.store import fetched

Rows = npt.NDArray[np.intp]

FEW_SYSTEMS = 12
"""Number of systems up to which every pair is compared."""


def plot_data(
    connection: duckdb.DuckDBPyConnection,
    infos: Sequence[RunInfo],
    systems: Mapping[str, Sequence[str]],
    inputs: PlotInputs,
    length: int | None = None,
    length_units: Mapping[str, str] = MappingProxyType({}),
) -> tuple[list[PlotData], list[str]]:
    """Return the data of each operation of `systems` (operation to primitives), and notes on excluded runs.

    `connection` has the views of `store.connect` over the runs of `infos`. `length_units` names what a length
    counts in operations where that is not bytes. `UnknownName` if `length` was not measured; a plot that shows one
    length takes any between two measured ones.
    """
    prepare(connection, infos)
    result, notes = [], []
    systems, left_out = having(connection, systems, length, inputs)
    notes += left_out
    for operation, primitives in systems.items():
        scope, scope_notes = comparable(infos, operation)
        notes += scope_notes
        data = _plot_data(connection, scope, primitives, inputs, length)
        result.append(replace(data, length_unit=length_units.get(operation, BYTES)))
    return result, notes


def _plot_data(
    connection: duckdb.DuckDBPyConnection,
    scope: Scope,
    primitives: Sequence[str],
    inputs: PlotInputs,
    length: int | None,
) -> PlotData:
    where = f"NOT control AND measure <> 'empty' AND {scope.sql()} AND {one_of('primitive', primitives)}"
    if inputs.placement:
        return _placement_data(connection, scope, primitives, where, length)
    reference_length = _length(connection, where, length)
    nearest = (reference_length,) if length is None else lengths_for(connection, where, length)
    ends = _ends(connection, where) if inputs.ends and length is None else ()
    spreads = control_spreads(connection, scope)
    systems = _systems(connection, where)
    curves: list[Curve] = []
    clouds: list[Cloud] = []
    for system in systems:
        samples = _Samples.read(connection, f"{where} AND {_where(system, inputs, ends or nearest)}")
        found = samples.curves(system)
        curves += found if length is None or not inputs.one_length else filter(None, (at(c, length) for c in found))
        clouds += samples.clouds(system) if inputs.clouds else []
    return PlotData(
        operation=scope.operation,
        contexts=_contexts(connection, scope, systems, spreads),
        expanded_key_bytes=_expanded_key_bytes(connection, scope, systems),
        curves=tuple(curves),
        clouds=tuple(clouds),
        rivalries=tuple(_pair_orders(curves, spreads)) if inputs.rivalries else (),
        length=reference_length,
        ends=ends,
    )


def _placement_data(
    connection: duckdb.DuckDBPyConnection, scope: Scope, primitives: Sequence[str], where: str, length: int | None
) -> PlotData:
    systems = _systems(connection, where)
    named = {(each.machine, each.primitive, each.implementation, each.compiler): each for each in systems}

    def system_of(cell: PlacedCell) -> System:
        return named[cell.machine, cell.subject.primitive, cell.subject.implementation, cell.subject.compiler]

    cells = placed_cells(connection, scope, primitives, settling_at=TYPICAL_LENGTH if length is None else length)
    return PlotData(
        operation=scope.operation,
        contexts=_contexts(connection, scope, systems, control_spreads(connection, scope)),
        expanded_key_bytes={},
        curves=(),
        clouds=(),
        rivalries=(),
        length=TYPICAL_LENGTH if length is None else length,
        placed=tuple(placed_curves(cells, system_of, length)),
    )


def _contexts(
    connection: duckdb.DuckDBPyConnection, scope: Scope, systems: Iterable[System], spreads: Spreads
) -> dict[str, Context]:
    return {
        machine: context(
            scope,
            machine,
            _largest(spreads, machine),
            overhead_of(connection, scope, machine),
            calibration_of(connection, scope, machine),
        )
        for machine in dict.fromkeys(system.machine for system in systems)
    }


def _largest(spreads: Spreads, machine: str) -> float | None:
    return max((spread.quiet for (name, _), spread in spreads.items() if name == machine), default=None)


def _pair_orders(curves: Iterable[Curve], spreads: Spreads) -> Iterator[PairOrder]:
    """Yield the order of every two systems of a machine, by measure; if there are many, only of the fastest."""
    groups: dict[tuple[str, str], list[Curve]] = {}
    for curve in curves:
        if curve.keys == 1 and len(curve.lengths) > 1:
            groups.setdefault((curve.system.machine, curve.measure), []).append(curve)
    for key, group in groups.items():
        compared = group if len(group) <= FEW_SYSTEMS else _ever_fastest(group)
        for first, second in itertools.combinations(compared, 2):
            yield PairOrder(
                first=first.system, second=second.system, measure=key[1], order=_order(first, second, spreads.get(key))
            )


def _ever_fastest(curves: Sequence[Curve]) -> list[Curve]:
    """Return the curves that are the fastest at some length."""
    lengths = functools.reduce(np.union1d, [curve.lengths for curve in curves])
    cycles = np.full((len(curves), len(lengths)), np.inf)
    for row, curve in zip(cycles, curves, strict=True):
        row[np.searchsorted(lengths, curve.lengths)] = curve.cycles
    return [curves[index] for index in np.unique(np.argmin(cycles, axis=0))]


def _order(first: Curve, second: Curve, spread: Spread | None) -> Ordering:
    lengths, ours, theirs = np.intersect1d(first.lengths, second.lengths, assume_unique=True, return_indices=True)
    disturbed = first.disturbed[ours] | second.disturbed[theirs]
    margin = np.where(disturbed, spread.every, spread.quiet) if spread else 0.0
    return order(lengths, first.rounds[ours], second.rounds[theirs], margin)


def _length(connection: duckdb.DuckDBPyConnection, where: str, requested: int | None) -> int:
    """Return the requested length; if there is none, the measured one nearest to TYPICAL_LENGTH."""
    if requested is not None:
        return requested
    rows = connection.sql(f"SELECT DISTINCT length FROM samples WHERE {where}").fetchall()
    return min((int(row[0]) for row in rows), key=lambda length: (abs(length - TYPICAL_LENGTH), length), default=0)


def _ends(connection: duckdb.DuckDBPyConnection, where: str) -> tuple[int, ...]:
    """Return the shortest and longest length, with one key, of the measures that have a length; () if none has."""
    rows = connection.sql(f"SELECT DISTINCT measure, length FROM samples WHERE {where} AND keys = 1").fetchall()
    with_length = {measure for measure, length in rows if length}
    lengths = {int(length) for measure, length in rows if measure in with_length}
    return tuple(sorted({min(lengths), max(lengths)})) if lengths else ()


def _systems(connection: duckdb.DuckDBPyConnection, where: str) -> list[System]:
    rows = connection.sql(
        "SELECT DISTINCT machine, operation, primitive, implementation, compiler FROM samples "
        f"WHERE {where} ORDER BY ALL"
    ).fetchall()
    tunings: dict[tuple[str, str], int] = {}
    for machine, _, primitive, *_ in rows:
        tunings[machine, primitive] = tunings.get((machine, primitive), 0) + 1
    return [
        System(
            machine=machine,
            operation=operation,
            primitive=primitive,
            implementation=implementation,
            compiler=compiler,
            label=primitive if tunings[machine, primitive] == 1 else f"{primitive} ({implementation}, {compiler})",
        )
        for machine, operation, primitive, implementation, compiler in rows
    ]


def _where(system: System, inputs: PlotInputs, lengths: Sequence[int]) -> str:
    names = ("machine", "primitive", "implementation", "compiler")
    conditions = [f"{name} = {quoted(getattr(system, name))}" for name in names]
    if not inputs.many_keys:
        conditions.append("keys = 1")
    if inputs.one_length:
        # A measure without a length is sampled at length 0 alone.
        no_length = "measure NOT IN (SELECT measure FROM samples WHERE length > 0)"
        conditions.append(f"({one_of('length', lengths)} OR keys > 1 OR {no_length})")
    return " AND ".join(conditions)


def _expanded_key_bytes(
    connection: duckdb.DuckDBPyConnection, scope: Scope, systems: Iterable[System]
) -> dict[System, int]:
    rows = connection.sql(
        f"SELECT machine, primitive, implementation, compiler, value FROM sizes {RUNS} "
        f"WHERE name = 'expanded_key_bytes' AND {scope.sql()} ORDER BY {OLDEST_FIRST}"
    ).fetchall()
    sizes = {tuple(tuning): int(value) for *tuning, value in rows}
    tunings = {system: (system.machine, system.primitive, system.implementation, system.compiler) for system in systems}
    return {system: sizes[tuning] for system, tuning in tunings.items() if tuning in sizes}


class _Samples:
    """The samples of one system as columns; `_offsets` divides the raw timings into series."""

    def __init__(self, table: Columns) -> None:
        self._columns = table
        self._process = _group_codes([table["run"], table["round"]])
        self._measure = table["measure"].astype(str)
        self._timings, sizes = lists_of(table["successive"])
        self._offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)))

    @classmethod
    def read(cls, connection: duckdb.DuckDBPyConnection, where: str) -> _Samples:
        names = ", ".join(("run", "round", "measure", *VARIABLES, "cycles", "disturbed", "used", "successive"))
        return cls(fetched(connection, f"SELECT {names} FROM ({corrected_sql(where)})"))

    def curves(self, system: System) -> Iterator[Curve]:
        """Yield a curve for each measure and number of keys, with the least associated data and alignment."""
        for measure, keys, rows in self._groups():
            yield self._curve(system, measure, keys, rows)

    def clouds(self, system: System) -> Iterator[Cloud]:
        """Yield a cloud for each measure with one active key."""
        for measure, keys, rows in self._groups():
            if keys == 1:
                indices, starts = self._timing_indices(rows)
                yield Cloud(
                    system=system,
                    measure=measure,
                    lengths=np.repeat(self._columns["length"][rows], self._sizes(rows)).astype(np.int32),
                    cycles=self._timings[indices].astype(np.float32),
                    first=np.isin(np.arange(len(indices)), starts),
                )

    def _groups(self) -> Iterator[tuple[str, int, Rows]]:
        codes = _group_codes([self._measure, self._columns["keys"]])
        for code in np.unique(codes):
            rows = np.flatnonzero(codes == code)
            for name in ("ad_length", "alignment"):
                values = self._columns[name][rows]
                rows = rows[values == values.min()]
            yield str(self._measure[rows[0]]), int(self._columns["keys"][rows[0]]), rows

    def _curve(self, system: System, measure: str, keys: int, rows: Rows) -> Curve:
        lengths, index = np.unique(self._columns["length"][rows], return_inverse=True)
        rounds, measured, undisturbed = self._rounds(rows, index, len(lengths))
        present = ~np.isnan(rounds)
        disturbed = 2 * undisturbed < measured
        cycles, low, high = round_headlines(rounds[present], present.sum(axis=1), disturbed)
        first, third = self._quartiles(rows[self._columns["used"][rows]])
        return Curve(
            system=system,
            measure=measure,
            keys=keys,
            lengths=lengths.astype(np.int64),
            cycles=cycles,
            rounds=rounds,
            low=low,
            high=high,
            first_quartile=first,
            third_quartile=third,
            disturbed=disturbed,
        )

    def _rounds(self, rows: Rows, index: Rows, count: int) -> tuple[Floats, Integers, Integers]:
        """Return medians of the samples used, (lengths, processes), NaN if there are none, and two counts by length.

        The counts are of the processes that measured the length, and of those among them with an undisturbed sample.
        """
        processes, process = np.unique(self._process[rows], return_inverse=True)
        cell = index * len(processes) + process
        counts, undisturbed = self._columns["used"][rows], ~self._columns["disturbed"][rows]
        size = count * len(processes)
        medians = _medians(cell[counts], self._columns["cycles"][rows][counts], size)
        is_present = (np.bincount(where, minlength=size).reshape(count, -1) > 0 for where in (cell, cell[undisturbed]))
        measured, undisturbed_counts = (np.asarray(each.sum(axis=1)) for each in is_present)
        return medians.reshape(count, -1), measured, undisturbed_counts

    def _quartiles(self, rows: Rows) -> tuple[Floats, Floats]:
        """Return the first and third quartile, by length, of all timings in `rows`, which cover every length."""
        rows = rows[np.argsort(self._columns["length"][rows], kind="stable")]
        indices, _ = self._timing_indices(rows)
        _, begins = np.unique(self._columns["length"][rows], return_index=True)
        return outer_quartiles(self._timings[indices], np.add.reduceat(self._sizes(rows), begins))

    def _sizes(self, rows: Rows) -> Integers:
        return np.asarray(np.diff(self._offsets)[rows])

    def _timing_indices(self, rows: Rows) -> tuple[Rows, Rows]:
        """Return the indices of these samples' timings, series after series, and where each series begins."""
        sizes = self._sizes(rows)
        starts = np.cumsum(sizes) - sizes
        return np.arange(sizes.sum()) + np.repeat(self._offsets[rows] - starts, sizes), starts


def _group_codes(columns: Sequence[npt.NDArray[Any]]) -> Rows:
    """Return a number for each row; equal rows have equal numbers, which sort like the columns."""
    code = np.zeros(len(columns[0]), np.intp)
    for column in columns:
        values, inverse = np.unique(column, return_inverse=True)
        code = code * len(values) + inverse
    return code


def _medians(group: Rows, values: Floats, count: int) -> Floats:
    """Return the median of the values of each group 0 .. count - 1; NaN for an empty group."""
    order = np.lexsort((values, group))
    ordered = values[order]
    sizes = np.bincount(group, minlength=count)
    starts = np.cumsum(sizes) - sizes
    result = np.full(count, np.nan)
    nonempty = sizes > 0
    lower = starts[nonempty] + (sizes[nonempty] - 1) // 2
    result[nonempty] = (ordered[lower] + ordered[starts[nonempty] + sizes[nonempty] // 2]) / 2
    return result
