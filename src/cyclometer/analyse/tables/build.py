# SPDX-License-Identifier: MIT OR Apache-2.0
"""Building one table from its plan: rows, ranks, units, order and caption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import duckdb

from cyclometer.analyse.estimate.aa_control import Spreads
from cyclometer.analyse.estimate.cell_source import CellSource
from cyclometer.analyse.estimate.cells import Cell
from cyclometer.analyse.estimate.comparability import OLDEST_FIRST, RUNS, one_of
from cyclometer.analyse.estimate.core_cycles import figure_unit
from cyclometer.analyse.estimate.ranking import ranks
from cyclometer.analyse.tables.plan import TablePlan
from cyclometer.analyse.tables.units import Units
from cyclometer.analyse.tables.views import TableOptions
from cyclometer.errors import BadDeclaration, NothingToDo
from cyclometer.records.length_unit import BYTES
from cyclometer.records.table import Column, Context, Row, Table, Value, size_unit

RowKey = tuple[str, str, str]  # primitive, implementation, compiler


@dataclass(frozen=True, kw_only=True)
class TableBuilder:
    """Everything that one table is made of."""

    plan: TablePlan
    units: Units
    base: str  # unit of the cells
    contexts: tuple[Context, ...]
    spreads: Spreads
    sizes: Mapping[tuple[str, ...], int]
    size_names: Sequence[str]  # of the sizes that something in the table has
    options: TableOptions

    @classmethod
    def of(  # one argument per thing a table is made of
        cls,
        source: CellSource,
        connection: duckdb.DuckDBPyConnection,
        plan: TablePlan,
        spreads: Spreads,
        options: TableOptions,
        contexts: Mapping[str, Context],
    ) -> TableBuilder:
        sizes = _sizes(connection, plan)
        return cls(
            plan=plan,
            units=_units(source, plan, options),
            base=figure_unit(plan.scope.latest(plan.machines[0])),
            contexts=tuple(
                replace(contexts[machine], spread=_largest(spreads, machine, plan.measures))
                for machine in plan.machines
            ),
            spreads=spreads,
            sizes=sizes,
            size_names=_size_names(sizes, plan),
            options=options,
        )

    def table(self) -> Table:
        grid = self._cells_by_row()
        values = self._values(grid)
        rows = [self._row(key, values) for key in grid]
        ranked_by, order = self._order(list(zip(grid, rows, strict=True)), grid)
        view = self.plan.view
        return Table(
            view=view.name,
            operation=self.plan.scope.operation,
            measure=self.plan.measures[0] if len(self.plan.measures) == 1 else "",
            title=self._title(),
            variable=view.columns,
            columns=self._columns(),
            rows=tuple(order),
            contexts=self.contexts,
            ranked_by=ranked_by,
        )

    def _title(self) -> str:
        names: dict[str, str | int] = {"measure": ", ".join(self.plan.measures), "unit": self.units.title(self.base)}
        try:
            title = self.plan.view.titled(**{**self.plan.fixed, **names})
        except BadDeclaration as error:
            raise BadDeclaration(f"{self.plan.scope.operation}: {error}") from error
        ad = self.plan.fixed.get("ad_length")
        return f"{title}, with {ad} bytes of associated data" if ad else title

    def _cells_by_row(self) -> dict[RowKey, dict[int | str, Cell]]:
        """Return the cells by row and column.

        If machines run across, a row is a primitive, with each machine's fastest tuning.
        """
        across_machines = self.plan.view.columns == "machine"
        grid: dict[RowKey, dict[int | str, Cell]] = {}
        for cell in self.plan.cells:
            tuning = ("", "") if across_machines else (cell.subject.implementation, cell.subject.compiler)
            row = grid.setdefault((cell.subject.primitive, *tuning), {})
            column = self._column_of(cell)
            if column not in row or cell.cycles < row[column].cycles:
                row[column] = cell
        return grid

    def _column_of(self, cell: Cell) -> int | str:
        variable = self.plan.view.columns
        if variable == "machine":
            return cell.machine
        return cell.measure if variable == "measure" else cell.variables[variable]

    def _values(self, grid: Mapping[RowKey, Mapping[int | str, Cell]]) -> dict[tuple[RowKey, int | str], Value | None]:
        result: dict[tuple[RowKey, int | str], Value | None] = {}
        for column in self.plan.columns:
            keys = [key for key, row in grid.items() if column in row]
            if not keys:
                continue
            column_cells = [grid[key][column] for key in keys]
            fastest = min(column_cells, key=lambda cell: cell.cycles)
            spread = self.spreads.get((fastest.machine, fastest.measure))
            column_ranks = ranks(column_cells, spread)
            for key, cell, rank in zip(keys, column_cells, column_ranks, strict=True):
                result[key, column] = self.units.figure(cell, rank, cell is fastest, spread)
        return result

    def _row(self, key: RowKey, values: Mapping[tuple[RowKey, int | str], Value | None]) -> Row:
        primitive, implementation, compiler = key
        row_keys = {k for k, _ in values if k[0] == primitive}
        label = primitive if len(row_keys) == 1 else f"{primitive} ({implementation}, {compiler})"
        measured = [values.get((key, column)) for column in self.plan.columns]
        return Row(
            operation=self.plan.scope.operation,
            primitive=primitive,
            implementation=implementation,
            compiler=compiler,
            label=label,
            figures=(*measured, *self._size_figures(key)),
        )

    def _size_figures(self, key: RowKey) -> list[Value | None]:
        """Return the sizes of the row's tuning; of the primitive if a row has no single tuning."""
        machine = self.plan.machines[0]
        result = [
            self.sizes.get((machine, *key, name), self.sizes.get((machine, key[0], name))) for name in self.size_names
        ]
        return [None if value is None else Value(value=value) for value in result]

    def _columns(self) -> tuple[Column, ...]:
        unit_of = {machine: figure_unit(self.plan.scope.latest(machine)) for machine in self.plan.machines}
        measured = [
            Column(label=str(column), unit=self.units.name(unit_of.get(str(column), self.base)))
            for column in self.plan.columns
        ]
        return (
            *measured,
            *(Column(label=name.replace("_", " "), unit=size_unit(name)) for name in self.size_names),
        )

    def _order(
        self, rows: Sequence[tuple[RowKey, Row]], grid: Mapping[RowKey, Mapping[int | str, Cell]]
    ) -> tuple[str, list[Row]]:
        """Return the label of the column sorted by (empty: by name), and the sorted rows."""
        by_name = sorted(rows, key=lambda pair: pair[1].label)
        if self.options.sort == "name":
            return "", [row for _, row in by_name]
        labels = {str(column): column for column in self.plan.columns}
        column = labels.get(self.options.sort, self.plan.columns[-1])

        def cycles(pair: tuple[RowKey, Row]) -> float:
            cell = grid[pair[0]].get(column)
            return cell.cycles if cell else float("inf")

        return str(column), [row for _, row in sorted(by_name, key=cycles)]


def _units(source: CellSource, plan: TablePlan, options: TableOptions) -> Units:
    """Return the requested units if the table has lengths; key expansion has no cycles per byte, blocks no MB/s."""
    has_lengths, length_unit = any(cell.variables["length"] for cell in plan.cells), plan.view.length_unit
    hertz: dict[str, float] = {}
    megabytes = options.megabytes and has_lengths and length_unit == BYTES
    if megabytes:
        for machine in plan.machines:
            info = plan.scope.latest(machine)
            clock = source.clock(info)
            if clock is None:
                raise NothingToDo(f"no MB/s: run {info.run} of {machine} does not record its counter's rate")
            hertz[machine] = clock
    per_byte = options.per_byte and has_lengths
    return Units(per_byte=per_byte, megabytes=megabytes, length_unit=length_unit, hertz=hertz)


def _sizes(connection: duckdb.DuckDBPyConnection, plan: TablePlan) -> dict[tuple[str, ...], int]:
    """Return sizes by (machine, primitive, implementation, compiler, name) and by (machine, primitive, name)."""
    result: dict[tuple[str, ...], int] = {}
    if not plan.view.sizes:
        return result
    rows = connection.sql(
        f"SELECT machine, primitive, implementation, compiler, name, value FROM sizes {RUNS} "
        f"WHERE {plan.scope.sql()} AND {one_of('name', plan.view.sizes)} ORDER BY {OLDEST_FIRST}"
    ).fetchall()
    for machine, primitive, implementation, compiler, name, value in rows:
        result[machine, primitive, implementation, compiler, name] = value
        result[machine, primitive, name] = value
    return result


def _size_names(sizes: Mapping[tuple[str, ...], int], plan: TablePlan) -> list[str]:
    """Return the sizes to show: those that a primitive of the table has on its first machine."""
    primitives = {cell.subject.primitive for cell in plan.cells}
    return [name for name in plan.view.sizes if any((plan.machines[0], each, name) in sizes for each in primitives)]


def _largest(spreads: Spreads, machine: str, measures: Sequence[str]) -> float | None:
    """Return the largest spread of several measures, for the caption; each measure is ranked by its own."""
    spreads_shown = [spreads[machine, name].quiet for name in measures if (machine, name) in spreads]
    return max(spreads_shown, default=None)
