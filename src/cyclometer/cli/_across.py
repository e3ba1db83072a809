# SPDX-License-Identifier: MIT OR Apache-2.0
"""The site over many machines, from stored runs: each is summarised once, in parallel, and kept in the cache."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, cast

from cyclometer import paths
from cyclometer.analyse import prepare
from cyclometer.analyse.across import Across, gather_across
from cyclometer.analyse.estimate.cell_cache import run_key
from cyclometer.analyse.estimate.rounds import exported
from cyclometer.analyse.site_data import RunFolder
from cyclometer.cli._summaries import Stage, Work, cells_of_run, do_all, missing_cells
from cyclometer.cli._systems import declared
from cyclometer.discover import foreign_operations
from cyclometer.report.across import Database
from cyclometer.report.exports import exporter
from cyclometer.store import StoredRun, connect, storage, write_whole


def gathered(stored: Sequence[StoredRun], stage: Stage) -> tuple[Across, Database]:
    """Return the headlines of complete runs, and what can be downloaded."""
    runs = [entry for entry in stored if entry.state == "complete" and entry.info]
    newest = {entry.machine: entry for entry in sorted(runs, key=_started)}
    lines: list[Work] = [(_lines_of, entry) for entry in newest.values() if not _lines_file(entry).exists()]
    do_all([*missing_cells(runs), *lines], stage)
    with stage("reading summaries", 1) as step:
        across = gather_across(runs, declared, cells_of_run)
        step()
    folders = {(entry.machine, entry.run): _folder(entry) for entry in runs}
    by_folder = {entry.folder: entry for entry in runs}
    database = Database(
        runs=list(folders.values()),
        newest=[folders[entry.machine, entry.run] for entry in newest.values()],
        lines=lambda entry: _lines_of(by_folder[entry.folder]),
    )
    return across, database


def _started(entry: StoredRun) -> tuple[float, str]:
    assert entry.info
    return entry.info.started.timestamp(), entry.run


def _folder(entry: StoredRun) -> RunFolder:
    return RunFolder(machine=entry.machine, run=entry.run, state=entry.state, folder=entry.folder)


def _lines_of(entry: StoredRun) -> Path:
    """Return the compressed SUPERCOP data lines of a run, written if they are not in the cache."""
    path = _lines_file(entry)
    if not path.exists():
        with storage("write", path):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, lambda temporary: _write_lines(entry, temporary))
    return path


def _lines_file(entry: StoredRun) -> Path:
    return paths.cache_folder() / "lines" / f"{run_key(entry)}.gz"


def _write_lines(entry: StoredRun, path: Path) -> None:
    assert entry.info
    with connect([entry]) as connection, path.open("wb") as file:
        connection.execute("SET enable_progress_bar = false")
        prepare(connection, [entry.info])
        content = exported(connection, [entry.info], foreign_operations(paths.root()))
        with gzip.GzipFile("", "wb", compresslevel=4, fileobj=file, mtime=0) as stream:
            exporter("supercop")(content, cast(BinaryIO, stream))
