# SPDX-License-Identifier: MIT OR Apache-2.0
"""The site over many machines, from stored runs: each is summarised once, in parallel, and kept in the cache."""

from __future__ import annotations

import gzip
import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO, cast

from cyclometer import paths
from cyclometer.analyse import prepare
from cyclometer.analyse.across import Across, gather_across
from cyclometer.analyse.estimate.cell_cache import has_run_cells, open_run_cells, run_key
from cyclometer.analyse.estimate.cell_file import CellFile
from cyclometer.analyse.estimate.rounds import exported
from cyclometer.analyse.site_data import RunFolder
from cyclometer.cli._systems import declared
from cyclometer.discover import foreign_operations
from cyclometer.report.across import Database
from cyclometer.report.exports import exporter
from cyclometer.store import StoredRun, connect, write_whole

FEW = 8
"""Pieces of work below which starting other processes takes longer than doing it here."""

Stage = Callable[[str, int], AbstractContextManager[Callable[[], None]]]


def gathered(stored: Sequence[StoredRun], stage: Stage) -> tuple[Across, Database]:
    """Return the headlines of complete runs, and what can be downloaded."""
    runs = [entry for entry in stored if entry.state == "complete" and entry.info]
    newest = {entry.machine: entry for entry in sorted(runs, key=_started)}
    _prepare(runs, list(newest.values()), stage)
    with stage("reading summaries", 1) as step:
        across = gather_across(runs, declared, _summarised)
        step()
    folders = {(entry.machine, entry.run): _folder(entry) for entry in runs}
    by_folder = {entry.folder: entry for entry in runs}
    database = Database(
        runs=list(folders.values()),
        newest=[folders[entry.machine, entry.run] for entry in newest.values()],
        lines=lambda entry: _lines_of(by_folder[entry.folder]),
    )
    return across, database


def _prepare(runs: Sequence[StoredRun], newest: Sequence[StoredRun], stage: Stage) -> None:
    """Put what is computed from each run into the cache, on all cores."""
    cache = paths.cache_folder()
    work: list[tuple[Callable[[StoredRun], object], StoredRun]] = [
        *((_summarise, entry) for entry in runs if not has_run_cells(entry, cache)),
        *((_lines_of, entry) for entry in newest if not _lines_file(entry).exists()),
    ]
    if not work:
        return
    with stage("summarising runs", len(work)) as step:
        if len(work) < FEW:
            for task, entry in work:
                task(entry)
                step()
            return
        context = multiprocessing.get_context("forkserver")
        with ProcessPoolExecutor(len(os.sched_getaffinity(0)), mp_context=context) as pool:
            for done in [pool.submit(task, entry) for task, entry in work]:
                done.result()
                step()


def _started(entry: StoredRun) -> tuple[float, str]:
    assert entry.info
    return entry.info.started.timestamp(), entry.run


def _folder(entry: StoredRun) -> RunFolder:
    return RunFolder(machine=entry.machine, run=entry.run, state=entry.state, folder=entry.folder)


def _summarised(entry: StoredRun) -> CellFile:
    return open_run_cells(entry, paths.cache_folder())


def _summarise(entry: StoredRun) -> None:
    _summarised(entry)


def _lines_of(entry: StoredRun) -> Path:
    """Return the compressed SUPERCOP data lines of a run, written if they are not in the cache."""
    path = _lines_file(entry)
    if not path.exists():
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
