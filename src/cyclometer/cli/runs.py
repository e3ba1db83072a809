# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer runs`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow.parquet as pq
from rich.table import Table

from cyclometer.analyse.contents import measured
from cyclometer.cli._json import Format, print_json, wants_json
from cyclometer.cli._options import Results
from cyclometer.cli._output import console, plain
from cyclometer.errors import NothingToDo, StorageFailed
from cyclometer.store import StoredRun, connect, list_runs, results_folder, storage

HEADER = ["machine", "run", "profile", "systems", "samples", "started", "duration", "state"]


def command(format: Format = "terminal", results: Results = None) -> None:
    """List all runs with their state, oldest first."""
    as_json = wants_json(format)
    folder = results_folder(results)
    runs = list_runs(folder)
    if not runs:
        raise NothingToDo(f"no run in {folder} yet; start one with `cyclometer run`")
    if as_json:
        return print_json({"runs": [_record(run) for run in runs]})
    drawing = console()
    if not drawing.is_terminal:
        drawing = console(width=200)
    table = Table(*HEADER)
    for column in table.columns[:-1]:
        column.no_wrap = True
    for run in runs:
        table.add_row(*(plain(cell) for cell in _cells(run)))
    drawing.print(table)


def _cells(run: StoredRun) -> Sequence[str]:
    info = run.info
    if info is None:
        return [run.machine, run.run, "", "", "", "", "", f"unreadable: {run.reason}"]
    duration = str(info.finished - info.started).partition(".")[0] if info.finished else ""
    started = info.started.astimezone().strftime("%Y-%m-%d %H:%M")
    resume = f"interrupted: resume with `cyclometer run --resume --machine {run.machine}`"
    state = resume if run.state == "interrupted" else run.state
    try:
        systems, samples = _counts(run)
    except StorageFailed as error:
        systems, samples, state = "", "", f"unreadable: {error}"
    return [run.machine, run.run, info.profile, systems, samples, started, duration, state]


def _record(run: StoredRun) -> dict[str, Any]:
    """Return the fields that identify a run to other commands; run.json has the rest."""
    info = run.info
    systems, samples, reason = None, None, run.reason
    if info:
        try:
            systems, samples = map(int, _counts(run))
        except StorageFailed as error:
            reason = str(error)
    return {
        "machine": run.machine,
        "run": run.run,
        "folder": str(run.folder),
        "state": "unreadable" if reason else run.state,
        "reason": reason,
        "profile": info.profile if info else None,
        "systems": systems,
        "samples": samples,
        "started": info.started.isoformat() if info else None,
        "finished": info.finished.isoformat() if info and info.finished else None,
    }


def _counts(run: StoredRun) -> tuple[str, str]:
    """Count the systems and samples of a run; the samples from file footers, without reading rows."""
    with storage("read", run.folder), connect([run]) as connection:
        samples = sum(pq.read_metadata(path).num_rows for path in run.sample_files)
        systems = measured(connection)
    return str(sum(map(len, systems.values()))), str(samples)
