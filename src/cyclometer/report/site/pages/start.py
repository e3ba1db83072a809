# SPDX-License-Identifier: MIT OR Apache-2.0
"""The start page: what was measured, where and when, and which systems are fastest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cyclometer.report.site.page_tables import headlines, whole, without_sizes
from cyclometer.report.site.site import Page, Site

TITLE = "Overview"
PLACE = 1
ADDRESS = "index.html"


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield one page."""
    material = site.material
    rankings = [
        (operation, [without_sizes(whole(table)) for table in headlines(site, operation.name)])
        for operation in material.operations
    ]
    yield Page(
        path=ADDRESS,
        template="start.html",
        title="Overview",
        values={
            "rankings": rankings,
            "timings": sum(noise.timings for entries in material.noise.values() for noise in entries),
            "measured": [system for system in material.systems if system.machines],
            "under_way": [entry for entry in material.stored if entry.state != "complete"],
        },
    )
