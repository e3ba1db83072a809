# SPDX-License-Identifier: MIT OR Apache-2.0
"""CSV: one line per sample, with everything stored about it and the headline computed from it."""

from __future__ import annotations

from typing import BinaryIO

from cyclometer.records.rounds import ExportSource
from cyclometer.report.exports._samples import copy_samples

SUMMARY = "one line per sample, the raw series in one field, separated by blanks"


def write(exported: ExportSource, stream: BinaryIO) -> list[str]:
    """Write a header line, then the samples; texts are quoted, numbers are not."""
    copy_samples(exported, "csv", stream)
    return []
