# SPDX-License-Identifier: MIT OR Apache-2.0
"""The start page: what was measured, where and when, and which systems are fastest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cyclometer.records.digits import error_of, number_text
from cyclometer.records.run import PROTOCOL
from cyclometer.report.site.page_tables import Entry, PageTable, headlines, whole, without_sizes
from cyclometer.report.site.site import Page, Site
from cyclometer.report.text import failure_count

TITLE = "Overview"
PLACE = 1
ADDRESS = "index.html"

MOST_RANKINGS = 4
"""Machines whose rankings are shown whole; of more, only the fastest systems of each are."""


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield one page."""
    material = site.material
    rankings = [
        (operation, [whole(without_sizes(table)) for table in headlines(site, operation.name)])
        for operation in material.operations
        if operation.name != PROTOCOL
    ]
    yield Page(
        path=ADDRESS,
        template="start.html",
        title="Overview",
        values={
            "rankings": rankings,
            "leaders": _leaders,
            "short": len(material.machines) > MOST_RANKINGS,
            "timings": sum(noise.timings for entries in material.noise.values() for noise in entries),
            "measured": [system for system in material.systems if system.machines],
            "failures": failure_count(material.failures),
            "under_way": [entry for entry in material.stored if entry.state != "complete"],
        },
    )


def _leaders(ranking: PageTable) -> list[tuple[Entry, str]]:
    """Return the three fastest of a ranking, each with its cost."""
    [index] = [index for index, column in enumerate(ranking.columns) if column.label == ranking.ranked_by]
    unit = ranking.columns[index].unit
    return [
        (entry, number_text(float(figure.value), unit, error_of(figure)))
        for entry in ranking.entries[:3]
        if (figure := entry.row.figures[index]) is not None
    ]
