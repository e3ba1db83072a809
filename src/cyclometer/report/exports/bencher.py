# SPDX-License-Identifier: MIT OR Apache-2.0
"""Bencher Metric Format: benchmark -> measure -> value, with its bounds (bencher.dev, "Bencher Metric Format")."""

from __future__ import annotations

import json
from statistics import median
from typing import BinaryIO

from cyclometer.records.rounds import ExportSource
from cyclometer.report.exports._names import names

SUMMARY = "Bencher Metric Format (BMF) JSON: the median of each measurement, bounded by its extremes"


def write(exported: ExportSource, stream: BinaryIO) -> list[str]:
    """Write one object with an entry per measurement, in the measure `core-cycles` or what the counter counts."""
    name = names(exported)
    separator = "{\n"
    for point in exported.rounds():
        measure = "-".join(exported.units[point.run, point.machine].split())
        values = sorted(point.headlines)
        metric = {"value": median(values), "lower_value": values[0], "upper_value": values[-1]}
        entry = f"{json.dumps(name(point))}: {json.dumps({measure: metric})}"
        stream.write((separator + entry).encode())
        separator = ",\n"
    stream.write(b"\n}\n" if separator != "{\n" else b"{}\n")
    return []
