# SPDX-License-Identifier: MIT OR Apache-2.0
"""The failures, with the last output of the compiler or program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cyclometer.report.site.site import Page, Site
from cyclometer.report.text import stage_of

TITLE = "Failures"
PLACE = 7
ADDRESS = "failures.html"


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield one page."""
    failures = sorted(
        site.material.failures,
        key=lambda entry: (entry.machine, entry.failure.stage, str(entry.failure.subject), entry.failure.reason),
    )
    known = {(system.operation, system.primitive) for system in site.material.systems}
    values = {"failures": failures, "known": known, "stage_of": stage_of}
    yield Page(path=ADDRESS, template="failures.html", title="Failures", values=values)
