# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is computed from each run by itself, once: in parallel, and kept in the cache."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager

from cyclometer import paths
from cyclometer.analyse.estimate.cell_cache import has_run_cells, keeps_cells, open_run_cells
from cyclometer.analyse.estimate.cell_file import CellFile
from cyclometer.store import StoredRun

FEW = 8
"""Pieces of work below which starting other processes takes longer than doing it here."""

Stage = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
Work = tuple[Callable[[StoredRun], object], StoredRun]


def cells_of_run(entry: StoredRun) -> CellFile:
    """Return the cells of a run, from the cache if they are there. `StorageFailed` if the run cannot be read."""
    return open_run_cells(entry, paths.cache_folder())


def missing_cells(runs: Sequence[StoredRun]) -> list[Work]:
    """Return the work that puts the cells of these runs into the cache; none if it cannot be written."""
    cache = paths.cache_folder()
    return [(_summarise, entry) for entry in runs if not has_run_cells(entry, cache)] if keeps_cells(cache) else []


def do_all(work: Sequence[Work], stage: Stage) -> None:
    """Do pieces of work on all cores."""
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


def _summarise(entry: StoredRun) -> None:
    cells_of_run(entry)
