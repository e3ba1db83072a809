# SPDX-License-Identifier: MIT OR Apache-2.0
"""Cells made once: what `summarise` says of each complete run, kept beside the build cache.

A file is named by all it depends on: the run's samples (their size and date), its
run.json, and the code that makes cells. So it never has to be made valid again, and
may be deleted at any time. Only runs that nothing is pooled with can stand on it.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from cyclometer.analyse.cells import summarise
from cyclometer.analyse.samples import prepare
from cyclometer.analyse.scope import quoted
from cyclometer.store import StoredRun, connect

_MAKERS = ("cells.py", "estimators.py", "known.py", "samples.py")  # the code whose change makes other cells
_ORDER = ("operation", "twinned", "control", "measure", "keys", "length", "primitive", "machine")
_TWINNED = "bool_or(control) OVER (PARTITION BY operation, primitive, implementation, compiler)"
_ROWS = 4096  # of a row group: a table reads a few lengths, and so a few of many groups


def recall(connection: duckdb.DuckDBPyConnection, stored: Sequence[StoredRun], folder: Path) -> bool:
    """Let `summarise` answer from the cells of these runs, which are made where `folder` lacks them.

    False, and nothing changes, where cells are pooled over runs, a run is under way or damaged, or `folder` cannot
    be written.
    """
    machines = Counter(entry.machine for entry in stored)
    if any(entry.state != "complete" for entry in stored) or max(machines.values()) > 1:
        return False
    try:
        made = [_made(entry, folder / "cells") for entry in stored]
    except (OSError, duckdb.Error, pa.ArrowException):
        return False  # whoever reads the samples themselves says what is wrong with them
    for name, paths in zip(("known_cells", "overheads"), zip(*made, strict=True), strict=True):
        files = ", ".join(quoted(str(path)) for path in paths)
        connection.execute(f"CREATE OR REPLACE VIEW {name} AS SELECT * FROM read_parquet([{files}])")
    connection.execute("CREATE OR REPLACE VIEW points AS SELECT * FROM known_cells")
    with suppress(duckdb.Error):  # a saving: not every DuckDB has it
        connection.execute("SET parquet_metadata_cache = true")
    return True


def _made(entry: StoredRun, folder: Path) -> tuple[Path, Path]:
    """The files of one run: its cells, and the overheads of its processes."""
    key = _key(entry)
    paths = folder / f"{key}.parquet", folder / f"{key}.overheads.parquet"
    if not all(_whole(path) for path in paths):
        folder.mkdir(parents=True, exist_ok=True)
        for path, table in zip(paths, _make(entry), strict=True):
            _write(path, table)
    return paths


def _key(entry: StoredRun) -> str:
    mix = hashlib.sha256((entry.folder / "run.json").read_bytes())
    for path in entry.sample_files:
        status = path.stat()
        mix.update(f"{path.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    for name in _MAKERS:
        mix.update(Path(__file__).with_name(name).read_bytes())
    return mix.hexdigest()[:40]


def _make(entry: StoredRun) -> tuple[pa.Table, pa.Table]:
    """System by system, so that the timings of one alone are in memory."""
    assert entry.info
    with connect([entry]) as connection:
        connection.execute("SET memory_limit = '1GB'")
        prepare(connection, [entry.info])
        systems = connection.sql("SELECT DISTINCT operation, primitive FROM samples ORDER BY ALL").fetchall()
        parts = [
            summarise(connection, f"operation = {quoted(operation)} AND primitive = {quoted(primitive)}")
            for operation, primitive in systems
        ]
        overheads = connection.sql("SELECT * FROM overheads").to_arrow_table()
        made = pa.concat_tables(parts) if parts else summarise(connection, "false")
        added = f"*, {quoted(entry.run)} AS run, {_TWINNED} AS twinned"
        whole = connection.from_arrow(made).project(added).to_arrow_table()
    return whole.sort_by([(name, "ascending") for name in _ORDER]), overheads


def _write(path: Path, table: pa.Table) -> None:
    scratch = path.with_name(f".{secrets.token_hex(8)}")
    try:
        pq.write_table(table, scratch, compression="zstd", row_group_size=_ROWS)
        os.replace(scratch, path)
    finally:
        with suppress(OSError):
            scratch.unlink()


def _whole(path: Path) -> bool:
    """Whether a file is there and can be read: a full disk or a crash may have cut it."""
    try:
        pq.read_metadata(path)
    except (OSError, pa.ArrowException):
        return False
    return True
