# SPDX-License-Identifier: MIT OR Apache-2.0
"""CSV: one line per sample, with everything stored about it and the headline computed from it."""

from __future__ import annotations

from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from cyclometer.records.rounds import ExportSource
from cyclometer.report.exports._samples import ORDER, schema_of

SUMMARY = "one line per sample, the raw series in one field, separated by blanks"


def write(exported: ExportSource, stream: BinaryIO) -> list[str]:
    """Write a header line, then the samples; texts are quoted, numbers are not."""
    writer: pa.csv.CSVWriter | None = None
    for batch in exported.samples(ORDER):
        flat = _flat(batch)
        if writer is None:
            writer = pyarrow.csv.CSVWriter(stream, flat.schema)
        writer.write_table(flat)
    if writer is None:
        writer = pyarrow.csv.CSVWriter(stream, _flat(pa.RecordBatch.from_pylist([], schema=schema_of())).schema)
    writer.close()
    return []


def _flat(batch: pa.RecordBatch) -> pa.Table:
    """Convert the series to text and dictionary columns to their values."""
    table = pa.Table.from_batches([batch])
    for index, field in enumerate(batch.schema):
        if pa.types.is_dictionary(field.type):
            table = table.set_column(index, field.name, _inert(table[field.name].cast(pa.string())))
        elif pa.types.is_string(field.type):
            table = table.set_column(index, field.name, _inert(table[field.name]))
    index = table.schema.get_field_index("series")
    series = table["series"].combine_chunks().cast(pa.list_(pa.string()))
    text: Any = pc.binary_join(series, " ")
    return table.set_column(index, "series", text)


def _inert(texts: Any) -> Any:
    """Return texts that no spreadsheet takes for a formula, as in the CSV of tables."""
    quoted = pc.replace_substring_regex(texts, "^", "'", max_replacements=1)
    return pc.if_else(pc.match_substring_regex(texts, "^[=+@\t\r-]"), quoted, texts)
