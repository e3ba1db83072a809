# SPDX-License-Identifier: MIT OR Apache-2.0
"""Your traffic: systems ranked in the browser for a workload that the reader edits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cyclometer.report.site.site import Page, Site

TITLE = "Your traffic"
PLACE = 2
ADDRESS = "traffic.html"


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield one page."""
    yield Page(path=ADDRESS, template="traffic.html", title="Your traffic")
