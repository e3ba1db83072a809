# SPDX-License-Identifier: MIT OR Apache-2.0
"""Downloads in the formats of other tools, by the exporters of `cyclometer export`."""

from __future__ import annotations

from pathlib import Path

import duckdb

from cyclometer import paths
from cyclometer.analyse.estimate.rounds import exported
from cyclometer.discover import foreign_operations
from cyclometer.report.exports import exporter, summaries
from cyclometer.report.site.load import Material

FORMATS = {"supercop": "supercop-data.txt", "benchstat": "benchstat.txt", "google-benchmark": "google-benchmark.json"}
"""Exporter to file name: those whose files stay of a size to download."""

MOST_SAMPLES = 50_000
"""Of a report; larger ones would take longer to export than all the rest to make. The page says how to."""


def write_foreign(connection: duckdb.DuckDBPyConnection, material: Material, folder: Path) -> dict[str, str]:
    """Write what is small enough to <folder>/downloads; file name to what it is for. Needs `prepare`."""
    samples = sum(noise.samples for entries in material.noise.values() for noise in entries)
    if not 0 < samples <= MOST_SAMPLES:
        return {}
    content = exported(connection, material.infos, foreign_operations(paths.root()))
    target = folder / "downloads"
    target.mkdir(parents=True, exist_ok=True)
    for name, file in FORMATS.items():
        with (target / file).open("wb") as stream:
            exporter(name)(content, stream)
    return {file: summaries()[name] for name, file in FORMATS.items()}
