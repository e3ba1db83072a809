# SPDX-License-Identifier: MIT OR Apache-2.0
"""What cryptography costs inside a protocol: the newest run of each study, with its verdict in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cyclometer.report.site.page_tables import whole
from cyclometer.report.site.site import Page, Site
from cyclometer.report.site.stacked import stacked

TITLE = "Protocols"
PLACE = 5
ADDRESS = "protocols.html"


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield one page."""
    shown = [
        {
            "result": result,
            "pictures": [(picture, stacked(picture)) for picture in result.pictures],
            "tables": [whole(table) for table in result.tables],
        }
        for result in site.material.studies
    ]
    yield Page(path=ADDRESS, template="protocols.html", title="Protocols", values={"shown": shown})
