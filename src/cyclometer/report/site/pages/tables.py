# SPDX-License-Identifier: MIT OR Apache-2.0
"""The page of all tables, as `cyclometer table` prints them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cyclometer.report.site.page_tables import whole
from cyclometer.report.site.site import Page, Site

TITLE = "Tables"
PLACE = 2
ADDRESS = "tables.html"


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield one page."""
    by_operation = [
        (operation, [whole(table) for table in site.material.tables if table.operation == operation.name])
        for operation in site.material.operations
    ]
    yield Page(path=ADDRESS, template="tables.html", title="All tables", values={"by_operation": by_operation})
