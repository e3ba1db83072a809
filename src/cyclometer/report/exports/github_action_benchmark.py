# SPDX-License-Identifier: MIT OR Apache-2.0
"""github-action-benchmark's `customSmallerIsBetter`: a list of name, unit, value, range and extra."""

from __future__ import annotations

import json
from collections import Counter
from statistics import median
from typing import Any, BinaryIO

from cyclometer.records.rounds import ExportSource, Rounds
from cyclometer.report.exports._names import path, tuning

SUMMARY = "customSmallerIsBetter JSON for github-action-benchmark: the median of each measurement"


def write(exported: ExportSource, stream: BinaryIO) -> list[str]:
    """Write one entry per measurement; its name includes run and tuning only where they tell entries apart."""
    used = Counter(_name(point, exported) for point in exported.rounds())
    separator = "[\n"
    for point in exported.rounds():
        stream.write((separator + json.dumps(_entry(point, exported, used))).encode())
        separator = ",\n"
    stream.write(b"\n]\n" if separator != "[\n" else b"[]\n")
    return []


def _name(point: Rounds, exported: ExportSource) -> str:
    several = len({info.machine for info in exported.infos}) > 1
    return f"{point.machine}: {path(point)}" if several else path(point)


def _entry(point: Rounds, exported: ExportSource, used: Counter[str]) -> dict[str, Any]:
    name = _name(point, exported)
    if used[name] > 1:
        name = f"{name} ({tuning(point)}, {point.run})"
    spread = max(point.headlines) - min(point.headlines)
    disturbed = ", disturbed" if point.disturbed else ""
    return {
        "name": name,
        "unit": exported.units[point.run, point.machine],
        "value": median(point.headlines),
        "range": f"± {spread / 2:.1f}",
        "extra": f"{tuning(point)}\n{point.machine}, {point.run}, rounds: {len(point.headlines)}{disturbed}",
    }
