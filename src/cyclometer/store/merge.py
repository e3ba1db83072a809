# SPDX-License-Identifier: MIT OR Apache-2.0
"""The merge of parts into one sorted samples.parquet, in bounded memory for any number of samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cyclometer.errors import StorageFailed
from cyclometer.records.columns import columns_of
from cyclometer.records.run import FORMAT
from cyclometer.store.database import open_database
from cyclometer.store.digests import Digests, verify
from cyclometer.store.files import storage, write_whole
from cyclometer.store.parquet import OPTIONS, as_types, column_names, write_parquet
from cyclometer.store.schema import SEQUENCE, SORTED_BY, STORED

ROW_GROUP = 32768
"""Rows per row group: 4 MB at 15 timings per row, large enough to be worth skipping and small enough to hold."""

SORT_MEMORY = "400MB"
"""Memory of the sort before it spills to disk beside the parts; it keeps the process below 1 GB."""


def merge_parts(parts: list[Path], target: Path, record: Callable[[Path, Path], None]) -> None:
    """Write all samples of `parts` to `target`, sorted by SORTED_BY; completely or not at all."""
    write_whole(target, lambda temporary: _sorted_copy(parts, temporary), record)


def verify_part(folder: Path, part: Path, digests: Digests) -> None:
    """Raise `StorageFailed` if a part is not as it was stored."""
    with _remedy():
        verify(folder, [part.relative_to(folder).as_posix()], digests)


def check_part(folder: Path, part: Path, digests: Digests) -> None:
    """Raise `StorageFailed` if a part is not as it was stored, or lacks the columns of this version."""
    verify_part(folder, part, digests)
    with _remedy(), storage("read", part):
        names = column_names(part)
    if names != list(STORED):
        raise StorageFailed(f"{part} does not have the columns of this version; resume with the version that wrote it")


@contextmanager
def _remedy() -> Iterator[None]:
    """Let an error about a part say what to do."""
    try:
        yield
    except StorageFailed as error:
        problem = str(error).partition("; ")[0]
        raise StorageFailed(f"{problem}; remove this file and resume: only its samples are measured again") from error


def _sorted_copy(parts: list[Path], target: Path) -> None:
    if not parts:
        return write_parquet(target, columns_of([], STORED), STORED)
    # Sorting by every column that distinguishes samples makes the file reproducible.
    order = ", ".join((*SORTED_BY, "implementation", "compiler", "control", SEQUENCE))
    options = f"{OPTIONS}, ROW_GROUP_SIZE {ROW_GROUP}, KV_METADATA {{'cyclometer.format': '{FORMAT}'}}"
    temporary = str(target.parent / ".sort.tmp")
    with open_database(memory_limit=SORT_MEMORY, temp_directory=temporary, threads=2) as database:
        database.execute(
            f"COPY (SELECT {as_types(STORED)} FROM read_parquet($parts) ORDER BY {order}) TO $target ({options})",
            {"parts": [str(part) for part in parts], "target": str(target)},
        )
