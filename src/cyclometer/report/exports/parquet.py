# SPDX-License-Identifier: MIT OR Apache-2.0
"""Parquet: one row per sample, one file from any number of runs."""

from __future__ import annotations

from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from cyclometer.records.rounds import ExportSource
from cyclometer.report.exports._samples import ORDER, schema_of

SUMMARY = "one row per sample, the raw series as a list, in one file"


def write(exported: ExportSource, stream: BinaryIO) -> list[str]:
    """Write the columns of a stored run, `cycles` and `disturbed`."""
    schema = schema_of()
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for batch in exported.samples(ORDER):
            writer.write_table(pa.Table.from_batches([batch]).cast(schema))
    return []
