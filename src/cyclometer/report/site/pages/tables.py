# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables as `cyclometer table` prints them: a page per operation, or per machine if there is much, and a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cyclometer.analyse.site_data import Operation
from cyclometer.records.table import Table
from cyclometer.report.site.page_tables import PageTable, whole
from cyclometer.report.site.site import Page, Site
from cyclometer.report.site.slugs import tables_page

TITLE = "Tables"
PLACE = 2
ADDRESS = "tables.html"

MOST_ROWS = 1500
"""Rows of a page; an operation with more has a page for each machine. A row takes about a kilobyte."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """The tables of one page."""

    operation: str
    title: str
    path: str
    tables: tuple[PageTable, ...]
    remarks: tuple[str, ...] = ()  # on how placement changes the order


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield the pages, and their list unless one page holds everything."""
    parts = [part for operation in site.material.operations for part in _parts(site, operation)]
    if len(parts) < 2:
        values = {"shown": parts[0].tables, "remarks": parts[0].remarks} if parts else {"shown": (), "remarks": ()}
        yield Page(path=ADDRESS, template="tables.html", title="All tables", values=values)
        return
    yield Page(path=ADDRESS, template="tables_list.html", title="All tables", values={"parts": parts})
    for part in parts:
        values = {"shown": part.tables, "remarks": part.remarks}
        yield Page(path=part.path, template="tables.html", title=part.title, values=values)


def _parts(site: Site, operation: Operation) -> list[Part]:
    placement = site.material.placement
    tables = [table for table in (*site.material.tables, *placement.tables) if table.operation == operation.name]
    remarks = placement.notes.get(operation.name, ())
    path = tables_page(operation.name)
    machines = operation.scope.machines
    if len(machines) < 2 or sum(len(table.rows) for table in tables) <= MOST_ROWS:
        shown = _named(tables, machines)
        return [Part(operation=operation.name, title=operation.title, path=path, tables=shown, remarks=remarks)]
    across = [table for table in tables if table.variable == "machine"]
    parts = [
        Part(
            operation=operation.name,
            title=f"{operation.title}: machines",
            path=path,
            tables=tuple(whole(table) for table in across),
            remarks=remarks,
        )
    ]
    for machine in machines:
        its_own = [table for table in tables if table not in across and table.contexts[0].machine == machine]
        title = f"{operation.title} on {machine}"
        page = tables_page(operation.name, machine)
        parts.append(
            Part(operation=operation.name, title=title, path=page, tables=tuple(whole(table) for table in its_own))
        )
    return parts


def _named(tables: Sequence[Table], machines: Sequence[str]) -> tuple[PageTable, ...]:
    """Return the tables, each with its machine in the title if there are several."""
    shown = []
    for table in tables:
        is_of_one = len(machines) > 1 and table.variable != "machine"
        title = f"{table.title}, on {table.contexts[0].machine}" if is_of_one else table.title
        shown.append(replace(whole(table), title=title))
    return tuple(shown)
