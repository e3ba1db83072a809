# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables as `cyclometer table` prints them: a page for each operation, and the list of these pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cyclometer.report.site.page_tables import whole
from cyclometer.report.site.site import Page, Site
from cyclometer.report.site.slugs import tables_page

TITLE = "Tables"
PLACE = 2
ADDRESS = "tables.html"


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield the list and a page for each operation; a single operation is the whole page."""
    operations = site.material.operations
    shown = {
        operation.name: [whole(table) for table in site.material.tables if table.operation == operation.name]
        for operation in operations
    }
    if len(operations) < 2:
        values = {"operations": operations, "shown": shown}
        yield Page(path=ADDRESS, template="tables.html", title="All tables", values=values)
        return
    yield Page(path=ADDRESS, template="tables_list.html", title="All tables", values={"shown": shown})
    for operation in operations:
        values = {"operations": (operation,), "shown": shown}
        yield Page(path=tables_page(operation.name), template="tables.html", title=operation.title, values=values)
