# SPDX-License-Identifier: MIT OR Apache-2.0
"""Downloads in the formats of other tools, by the exporters of `cyclometer export`."""

from __future__ import annotations

from pathlib import Path

from cyclometer.analyse.site_data import SiteData
from cyclometer.report.exports import exporter, summaries

FORMATS = {"supercop": "supercop-data.txt", "benchstat": "benchstat.txt", "google-benchmark": "google-benchmark.json"}
"""Exporter to file name, for the formats whose files stay small enough to download."""

MOST_SAMPLES = 20_000
"""The largest report that offers exports; larger ones take longer to export than to build."""


def write_foreign(data: SiteData, folder: Path) -> dict[str, str]:
    """Write the exports to <folder>/downloads; return file name -> purpose, empty if there are too many samples."""
    samples = sum(noise.samples for entries in data.material.noise.values() for noise in entries)
    if not 0 < samples <= MOST_SAMPLES:
        return {}
    content = data.exported()
    target = folder / "downloads"
    target.mkdir(parents=True, exist_ok=True)
    for name, file in FORMATS.items():
        with (target / file).open("wb") as stream:
            exporter(name)(content, stream)
    return {file: summaries()[name] for name, file in FORMATS.items()}
