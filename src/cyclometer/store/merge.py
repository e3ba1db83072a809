# SPDX-License-Identifier: MIT OR Apache-2.0
"""The merge of parts into one sorted samples.parquet, in bounded memory for any number of samples."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from cyclometer.errors import StorageFailed
from cyclometer.records.run import FORMAT
from cyclometer.store.digests import Digests, verify
from cyclometer.store.files import storage, write_whole
from cyclometer.store.schema import SORTED_BY, STORED

ROW_GROUP = 32768
"""Rows per row group: 4 MB at 15 timings per row, large enough to be worth skipping and small enough to hold."""

SORT_MEMORY = "400MB"
"""Memory of the sort before it spills to disk beside the parts; it keeps the process below 1 GB."""


def merge_parts(parts: list[Path], target: Path, record: Callable[[Path, Path], None]) -> None:
    """Write all samples of `parts` to `target`, sorted by SORTED_BY; completely or not at all."""
    write_whole(target, lambda temporary: _sorted_copy(parts, temporary), record)


def check_part(folder: Path, part: Path, digests: Digests) -> None:
    """Raise `StorageFailed` if a part is not as it was stored, or lacks the columns of this version."""
    try:
        verify(folder, [part.relative_to(folder).as_posix()], digests)
        with storage("read", part):
            names = pq.read_schema(part).names
    except StorageFailed as error:
        problem = str(error).partition("; ")[0]
        raise StorageFailed(f"{problem}; remove this file and resume: only its samples are measured again") from error
    if names != STORED.names:
        raise StorageFailed(f"{part} does not have the columns of this version; resume with the version that wrote it")


def _sorted_copy(parts: list[Path], target: Path) -> None:
    schema = STORED.with_metadata({"cyclometer.format": str(FORMAT)})
    with pq.ParquetWriter(target, schema, compression="zstd") as writer:
        if not parts:
            writer.write_table(schema.empty_table())
            return
        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": SORT_MEMORY,
            "temp_directory": str(target.parent / ".sort.tmp"),
            "threads": 2,
        }
        with duckdb.connect(config=config) as connection:
            connection.execute("SET preserve_insertion_order = false")
            samples = connection.read_parquet([str(part) for part in parts])
            # Sorting by every column that distinguishes samples makes the file reproducible.
            order = ", ".join((*SORTED_BY, "implementation", "compiler", "control", "sequence"))
            for batch in samples.order(order).to_arrow_reader(ROW_GROUP):
                writer.write_table(pa.Table.from_batches([batch]).cast(schema))
