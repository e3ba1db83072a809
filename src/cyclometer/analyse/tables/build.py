# SPDX-License-Identifier: MIT OR Apache-2.0
"""One table from one draft: rows, ranks, units, order and caption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import duckdb

from cyclometer.analyse.estimate.aa_control import Spreads
from cyclometer.analyse.estimate.cell_source import CellSource
from cyclometer.analyse.estimate.cells import Cell
from cyclometer.analyse.estimate.comparability import one_of
from cyclometer.analyse.estimate.core_cycles import figure_unit
from cyclometer.analyse.estimate.ranking import ranks
from cyclometer.analyse.tables.plan import TablePlan
from cyclometer.analyse.tables.units import Units
from cyclometer.analyse.tables.views import TableOptions
from cyclometer.errors import BadDeclaration, NothingToDo
from cyclometer.records.table import Column, Context, Row, Table, Value

RowKey = tuple[str, str, str]  # primitive, implementation, compiler


@dataclass(frozen=True, kw_only=True)
class TableBuilder:
    """Everything one table is made of."""

    draft: TablePlan
    units: Units
    base: str  # unit of the cells
    contexts: tuple[Context, ...]
    spreads: Spreads
    sizes: Mapping[tuple[str, ...], int]
    options: TableOptions

    @classmethod
    def of(  # one argument per thing a table is made of
        cls,
        source: CellSource,
        connection: duckdb.DuckDBPyConnection,
        draft: TablePlan,
        spreads: Spreads,
        options: TableOptions,
        contexts: Mapping[str, Context],
    ) -> TableBuilder:
        return cls(
            draft=draft,
            units=_units(source, draft, options),
            base=figure_unit(draft.scope.latest(draft.machines[0])),
            contexts=tuple(
                replace(contexts[machine], spread=_largest(spreads, machine, draft.measures))
                for machine in draft.machines
            ),
            spreads=spreads,
            sizes=_sizes(connection, draft),
            options=options,
        )

    def table(self) -> Table:
        grid = self._grid()
        figures = self._figures(grid)
        rows = [self._row(key, figures) for key in grid]
        ranked_by, order = self._order(list(zip(grid, rows, strict=True)), grid)
        view = self.draft.view
        return Table(
            view=view.name,
            operation=self.draft.scope.operation,
            measure=self.draft.measures[0] if len(self.draft.measures) == 1 else "",
            title=self._title(),
            variable=view.columns,
            columns=self._columns(),
            rows=tuple(order),
            contexts=self.contexts,
            ranked_by=ranked_by,
        )

    def _title(self) -> str:
        known: dict[str, str | int] = {"measure": ", ".join(self.draft.measures), "unit": self.units.title(self.base)}
        try:
            return self.draft.view.titled(**{**self.draft.fixed, **known})
        except BadDeclaration as error:
            raise BadDeclaration(f"{self.draft.scope.operation}: {error}") from error

    def _grid(self) -> dict[RowKey, dict[int | str, Cell]]:
        """Rows and columns; across machines a row is the primitive, with each machine's fastest tuning."""
        across = self.draft.view.columns == "machine"
        grid: dict[RowKey, dict[int | str, Cell]] = {}
        for cell in self.draft.cells:
            tuning = ("", "") if across else (cell.subject.implementation, cell.subject.compiler)
            row = grid.setdefault((cell.subject.primitive, *tuning), {})
            column = self._column_of(cell)
            if column not in row or cell.cycles < row[column].cycles:
                row[column] = cell
        return grid

    def _column_of(self, cell: Cell) -> int | str:
        running = self.draft.view.columns
        if running == "machine":
            return cell.machine
        return cell.measure if running == "measure" else cell.variables[running]

    def _figures(self, grid: Mapping[RowKey, Mapping[int | str, Cell]]) -> dict[tuple[RowKey, int | str], Value | None]:
        found: dict[tuple[RowKey, int | str], Value | None] = {}
        for column in self.draft.columns:
            keys = [key for key, row in grid.items() if column in row]
            if not keys:
                continue
            column_cells = [grid[key][column] for key in keys]
            fastest = min(column_cells, key=lambda cell: cell.cycles)
            places = ranks(column_cells, self.spreads.get((fastest.machine, fastest.measure)))
            for key, cell, place in zip(keys, column_cells, places, strict=True):
                found[key, column] = self.units.figure(cell, place, cell is fastest)
        return found

    def _row(self, key: RowKey, figures: Mapping[tuple[RowKey, int | str], Value | None]) -> Row:
        primitive, implementation, compiler = key
        others = {k for k, _ in figures if k[0] == primitive}
        label = primitive if len(others) == 1 else f"{primitive} ({implementation}, {compiler})"
        measured = [figures.get((key, column)) for column in self.draft.columns]
        return Row(
            operation=self.draft.scope.operation,
            primitive=primitive,
            implementation=implementation,
            compiler=compiler,
            label=label,
            figures=(*measured, *self._size_figures(key)),
        )

    def _size_figures(self, key: RowKey) -> list[Value | None]:
        """A size of the very tuning; of the primitive where the table has no single tuning."""
        machine = self.draft.machines[0]
        found = [
            self.sizes.get((machine, *key, name), self.sizes.get((machine, key[0], name)))
            for name in self.draft.view.sizes
        ]
        return [None if value is None else Value(value=value) for value in found]

    def _columns(self) -> tuple[Column, ...]:
        bases = {machine: figure_unit(self.draft.scope.latest(machine)) for machine in self.draft.machines}
        measured = [
            Column(label=str(column), unit=self.units.name(bases.get(str(column), self.base)))
            for column in self.draft.columns
        ]
        return (
            *measured,
            *(Column(label=name.replace("_", " "), unit="bytes") for name in self.draft.view.sizes),
        )

    def _order(
        self, rows: Sequence[tuple[RowKey, Row]], grid: Mapping[RowKey, Mapping[int | str, Cell]]
    ) -> tuple[str, list[Row]]:
        """The label of the column sorted by (empty: by name), and the rows in order."""
        by_name = sorted(rows, key=lambda pair: pair[1].label)
        if self.options.sort == "name":
            return "", [row for _, row in by_name]
        labels = {str(column): column for column in self.draft.columns}
        column = labels.get(self.options.sort, self.draft.columns[-1])

        def cycles(pair: tuple[RowKey, Row]) -> float:
            cell = grid[pair[0]].get(column)
            return cell.cycles if cell else float("inf")

        return str(column), [row for _, row in sorted(by_name, key=cycles)]


def _units(source: CellSource, draft: TablePlan, options: TableOptions) -> Units:
    """As wished where the table is about bytes; an expanded key has no cycles a byte."""
    about_bytes = any(cell.variables["length"] for cell in draft.cells)
    hertz: dict[str, float] = {}
    if options.megabytes and about_bytes:
        for machine in draft.machines:
            info = draft.scope.latest(machine)
            speed = source.clock(info)
            if speed is None:
                raise NothingToDo(f"no MB/s: run {info.run} of {machine} does not say how fast its counter runs")
            hertz[machine] = speed
    return Units(per_byte=options.per_byte and about_bytes, megabytes=options.megabytes and about_bytes, hertz=hertz)


def _sizes(connection: duckdb.DuckDBPyConnection, draft: TablePlan) -> dict[tuple[str, ...], int]:
    """Sizes by (machine, primitive, implementation, compiler, name) and by (machine, primitive, name)."""
    found: dict[tuple[str, ...], int] = {}
    if not draft.view.sizes:
        return found
    rows = connection.sql(
        "SELECT machine, primitive, implementation, compiler, name, value FROM sizes "
        f"WHERE {draft.scope.sql()} AND {one_of('name', draft.view.sizes)} ORDER BY run"
    ).fetchall()
    for machine, primitive, implementation, compiler, name, value in rows:
        found[machine, primitive, implementation, compiler, name] = value
        found[machine, primitive, name] = value
    return found


def _largest(spreads: Spreads, machine: str, measures: Sequence[str]) -> float | None:
    """What a caption states for several measures; each is ranked by its own."""
    here = [spreads[machine, name].quiet for name in measures if (machine, name) in spreads]
    return max(here, default=None)
