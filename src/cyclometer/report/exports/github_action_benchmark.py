# SPDX-License-Identifier: MIT OR Apache-2.0
"""github-action-benchmark's `customSmallerIsBetter`: a list of name, unit, value, range and extra."""

from __future__ import annotations

import json
from statistics import median
from typing import Any, BinaryIO

from cyclometer.records.rounds import ExportSource, Rounds
from cyclometer.report.exports._names import names, tuning

SUMMARY = "customSmallerIsBetter JSON for github-action-benchmark: the median of each measurement"


def write(exported: ExportSource, stream: BinaryIO) -> list[str]:
    """Write one entry per measurement; its name includes run and tuning only where they tell entries apart."""
    name = names(exported)
    separator = "[\n"
    for point in exported.rounds():
        stream.write((separator + json.dumps(_entry(point, exported, name(point)))).encode())
        separator = ",\n"
    stream.write(b"\n]\n" if separator != "[\n" else b"[]\n")
    return []


def _entry(point: Rounds, exported: ExportSource, name: str) -> dict[str, Any]:
    spread = max(point.headlines) - min(point.headlines)
    disturbed = ", disturbed" if point.disturbed else ""
    return {
        "name": name,
        "unit": exported.units[point.run, point.machine],
        "value": median(point.headlines),
        "range": f"± {spread / 2:.1f}",
        "extra": f"{tuning(point)}\n{point.machine}, {point.run}, rounds: {len(point.headlines)}{disturbed}",
    }
