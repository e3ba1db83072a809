# SPDX-License-Identifier: MIT OR Apache-2.0
"""Figures that published documents print, beside ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cyclometer.report.site.page_tables import whole
from cyclometer.report.site.site import Page, Site

TITLE = "Published"
PLACE = 5
ADDRESS = "published.html"


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield one page with a table for each published column of which something was measured."""
    shown = [whole(table) for table in site.material.published]
    yield Page(path=ADDRESS, template="published.html", title="Published figures", values={"shown": shown})
