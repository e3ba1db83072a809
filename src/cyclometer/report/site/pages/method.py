# SPDX-License-Identifier: MIT OR Apache-2.0
"""The page on how to read the numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cyclometer.analyse.estimate.aa_control import QUANTILE
from cyclometer.analyse.estimate.estimators import COVERAGE
from cyclometer.records.run import DISTURBED_ABOVE
from cyclometer.report.site.site import Page, Site

TITLE = "Method"
PLACE = 8
ADDRESS = "method.html"


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield one page."""
    constants = {"coverage": COVERAGE, "control_quantile": QUANTILE, "tolerance": DISTURBED_ABOVE}
    yield Page(path=ADDRESS, template="method.html", title="How to read these numbers", values=constants)
