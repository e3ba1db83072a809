# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables as pages show them: rows from one table or from several, each with its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cyclometer.analyse.tables.units import title_unit
from cyclometer.records.table import SIZES, Column, Row, Table
from cyclometer.report.site.site import Site


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One row."""

    label: str
    table: Table
    row: Row


@dataclass(frozen=True, kw_only=True)
class PageTable:
    """One table of a page."""

    title: str
    variable: str
    columns: tuple[Column, ...]
    entries: tuple[Entry, ...]
    captions: tuple[Table, ...]  # the tables whose captions apply
    ranked_by: str = ""

    def is_numeric(self, index: int) -> bool:
        """Return whether a column holds numbers: it has a unit, or no text in it."""
        figures = [entry.row.figures[index] for entry in self.entries]
        return bool(self.columns[index].unit) or any(f and not isinstance(f.value, str) for f in figures)


def whole(table: Table) -> PageTable:
    """Return a table as `cyclometer table` prints it."""
    return PageTable(
        title=table.title,
        variable=table.variable,
        columns=table.columns,
        entries=tuple(Entry(label=row.label, table=table, row=row) for row in table.rows),
        captions=(table,),
        ranked_by=table.ranked_by,
    )


def without_sizes(table: Table) -> Table:
    """Return the table without its columns of sizes and counts, such as executed lines, but ranked as before."""
    kept = [i for i, column in enumerate(table.columns) if column.unit not in SIZES or column.label == table.ranked_by]
    return replace(
        table,
        columns=tuple(table.columns[index] for index in kept),
        rows=tuple(replace(row, figures=tuple(row.figures[index] for index in kept)) for row in table.rows),
    )


def of_system(site: Site, operation: str, primitive: str, machine: str) -> list[PageTable]:
    """Return one system on one machine: the rows of all tables, combined by view; measures become rows."""
    groups: dict[tuple[str, tuple[Column, ...]], list[Entry]] = {}
    for table in site.material.tables:
        if table.operation == operation and table.variable != "machine" and table.contexts[0].machine == machine:
            for row in table.rows:
                if row.primitive == primitive:
                    entry = Entry(label=_label(table, row), table=table, row=row)
                    groups.setdefault((table.view, table.columns), []).append(entry)
    return [_combined(site, columns, entries) for (_, columns), entries in groups.items()]


def rows_of(tables: Sequence[Table], operation: str, primitive: str, machine: str) -> list[PageTable]:
    """Return the row of one system on one machine in each of these tables."""
    shown = []
    for table in tables:
        own = [row for row in table.rows if row.primitive == primitive]
        if own and table.operation == operation and table.contexts[0].machine == machine:
            shown.append(whole(replace(table, rows=tuple(own))))
    return shown


def _label(table: Table, row: Row) -> str:
    sizes = table.variable == "size"
    what = table.measure or ("size" if sizes else "cycles")
    return what if row.label == row.primitive else f"{what} ({row.implementation}, {row.compiler})"


def _combined(site: Site, columns: tuple[Column, ...], entries: Sequence[Entry]) -> PageTable:
    first = entries[0].table
    captions = tuple(dict.fromkeys(entry.table for entry in entries))
    measures = ", ".join(table.measure for table in captions)
    view = site.view_of(first)
    title = view.titled(unit=title_unit(columns[0].unit), measure=measures) if view and measures else first.title
    return PageTable(
        title=title, variable=first.variable, columns=columns, entries=tuple(entries), captions=captions[:1]
    )


def headlines(site: Site, operation: str) -> list[Table]:
    """Return the main ranking of each machine: the first table by length, else the first ranked table."""
    ranked = [
        table
        for table in site.material.tables
        if table.operation == operation and table.ranked_by and table.variable != "machine"
    ]
    by_length = [table for table in ranked if table.variable == "length"]
    main: dict[str, Table] = {}
    for table in by_length or ranked:
        main.setdefault(table.contexts[0].machine, table)
    return list(main.values())
