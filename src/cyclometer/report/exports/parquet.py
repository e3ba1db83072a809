# SPDX-License-Identifier: MIT OR Apache-2.0
"""Parquet: one row per sample, one file from any number of runs."""

from __future__ import annotations

from typing import BinaryIO

from cyclometer.records.rounds import ExportSource
from cyclometer.report.exports._samples import copy_samples

SUMMARY = "one row per sample, the raw series as a list, in one file"


def write(exported: ExportSource, stream: BinaryIO) -> list[str]:
    """Write the columns of a stored run, `cycles` and `disturbed`."""
    copy_samples(exported, "parquet", stream)
    return []
