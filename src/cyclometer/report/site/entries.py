# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables of figures as pages show them: rows from one table or from several, each knowing where it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cyclometer.figures import Column, Row, Table
from cyclometer.report.site.site import Site


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One row."""

    label: str
    table: Table
    row: Row


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One table of a page."""

    title: str
    variable: str
    columns: tuple[Column, ...]
    entries: tuple[Entry, ...]
    captions: tuple[Table, ...]  # those whose captions hold here
    ranked_by: str = ""


def whole(table: Table) -> Shown:
    """A table as `cyclometer table` prints it."""
    return Shown(
        title=table.title,
        variable=table.variable,
        columns=table.columns,
        entries=tuple(Entry(label=row.label, table=table, row=row) for row in table.rows),
        captions=(table,),
        ranked_by=table.ranked_by,
    )


def of_system(site: Site, operation: str, primitive: str, machine: str) -> list[Shown]:
    """One system on one machine: the rows of all tables, put together by view; measures become rows."""
    groups: dict[tuple[str, tuple[Column, ...]], list[Entry]] = {}
    for table in site.material.tables:
        if table.operation == operation and table.variable != "machine" and table.contexts[0].machine == machine:
            for row in table.rows:
                if row.primitive == primitive:
                    entry = Entry(label=_label(table, row), table=table, row=row)
                    groups.setdefault((table.view, table.columns), []).append(entry)
    return [_together(columns, entries) for (_, columns), entries in groups.items()]


def _label(table: Table, row: Row) -> str:
    what = table.measure or "cycles"
    return what if row.label == row.primitive else f"{what} ({row.implementation}, {row.compiler})"


def _together(columns: tuple[Column, ...], entries: Sequence[Entry]) -> Shown:
    first = entries[0].table
    captions = tuple(dict.fromkeys(entry.table for entry in entries))
    title = first.title if len(captions) == 1 else f"Cycles a packet, by its {_words(first.variable)}"
    return Shown(title=title, variable=first.variable, columns=columns, entries=tuple(entries), captions=captions[:1])


def _words(variable: str) -> str:
    return {"length": "length in bytes", "keys": "number of active keys"}.get(variable, variable.replace("_", " "))


def headlines(site: Site, operation: str) -> Iterable[Table]:
    """The ranking a reader looks for first: the first ranked table of each machine."""
    seen: set[str] = set()
    for table in site.material.tables:
        if table.operation == operation and table.ranked_by and table.variable == "length":
            machine = table.contexts[0].machine
            if machine not in seen:
                seen.add(machine)
                yield table
