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

import duckdb
import numpy as np
import numpy.typing as npt

from cyclometer.analyse.comparison.crossovers import order
from cyclometer.analyse.curve_lengths import at, having, lengths_for
from cyclometer.analyse.estimate.aa_control import Spreads, control_spreads
from cyclometer.analyse.estimate.calibration import calibration_of
from cyclometer.analyse.estimate.cells import by_round, grouped_sql, numbers
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
from cyclometer.records.curve import Cloud, Curve, Ordering, PairOrder, PlotData, PlotInputs, System
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
        condition = f"{where} AND {_where(system, inputs, ends or nearest)}"
        found = _read_curves(connection, system, condition)
        curves += found if length is None or not inputs.one_length else filter(None, (at(c, length) for c in found))
        clouds += _read_clouds(connection, system, condition) if inputs.clouds else []
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


def _read_curves(connection: duckdb.DuckDBPyConnection, system: System, where: str) -> Iterator[Curve]:
    """Yield a curve for each measure and number of keys."""
    cells = fetched(connection, f"SELECT * FROM ({grouped_sql(corrected_sql(where))}) ORDER BY length")
    for measure, keys, rows in _groups(cells):
        group = {name: column[rows] for name, column in cells.items()}
        found = numbers(group)
        yield Curve(
            system=system,
            measure=measure,
            keys=keys,
            lengths=group["length"].astype(np.int64),
            cycles=found["cycles"],
            rounds=by_round(group),
            low=found["low"],
            high=found["high"],
            first_quartile=found["stq1"],
            third_quartile=found["stq3"],
            disturbed=group["disturbed"],
        )


def _read_clouds(connection: duckdb.DuckDBPyConnection, system: System, where: str) -> Iterator[Cloud]:
    """Yield a cloud for each measure with one active key."""
    names = ", ".join(("measure", *VARIABLES, "successive"))
    samples = fetched(connection, f"SELECT {names} FROM ({corrected_sql(where)}) WHERE keys = 1")
    for measure, _, rows in _groups(samples):
        timings, sizes = lists_of(samples["successive"][rows])
        yield Cloud(
            system=system,
            measure=measure,
            lengths=np.repeat(samples["length"][rows], sizes).astype(np.int32),
            cycles=timings.astype(np.float32),
            first=np.isin(np.arange(len(timings)), np.cumsum(sizes) - sizes),
        )


def _groups(table: Columns) -> Iterator[tuple[str, int, Rows]]:
    """Yield the rows of each measure and number of keys that have the least associated data and alignment."""
    measures, keys = table["measure"].astype(str), table["keys"]
    for measure, count in sorted({*zip(measures.tolist(), keys.tolist(), strict=True)}):
        rows = np.flatnonzero((measures == measure) & (keys == count))
        for name in ("ad_length", "alignment"):
            values = table[name][rows]
            rows = rows[values == values.min()]
        yield measure, int(count), rows
