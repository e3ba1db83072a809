# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer runs`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from cyclometer.cli import _values
from cyclometer.cli._json import Format, print_json, wants_json
from cyclometer.cli._options import Results
from cyclometer.cli._output import console, plain, say
from cyclometer.errors import CyclometerError, NothingToDo, StorageFailed, UnknownName
from cyclometer.store import (
    StoredRun,
    count_contents,
    label_run,
    list_runs,
    remove_run,
    rename_run,
    results_folder,
)

PANEL = "Look at results"

HEADER = ["machine", "run", "label", "profile", "systems", "samples", "started", "duration", "state"]


Rename = Annotated[
    tuple[str, str] | None,
    typer.Option(
        metavar="RUN NEW",
        autocompletion=_values.runs,
        help="Rename a complete run; NEW is a run's name, or MACHINE/RUN.",
    ),
]

Label = Annotated[
    tuple[str, str] | None,
    typer.Option(
        metavar="RUN TEXT",
        autocompletion=_values.runs,
        help="Label a complete run; --run finds it by its label, too. '' removes it.",
    ),
]

Remove = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RUN",
        autocompletion=_values.runs,
        help="Remove a run for good (repeatable); a copy is named by its folder.",
    ),
]


def command(
    format: Format = "terminal",
    rename: Rename = None,
    label: Label = None,
    remove: Remove = None,
    results: Results = None,
) -> None:
    """List all runs with their state, oldest first; or rename, label or remove one.

    \b
    Rename a run:       runs --rename 2026-11-21T21-00-00-quick before-patch
    Rename its machine: runs --rename 2026-11-21T21-00-00-quick vm2/2026-11-21T21-00-00-quick
    Label a run:        runs --label 2026-11-21T21-00-00-quick "kernel 6.12, no turbo"
    Remove a run:       runs --remove 2026-11-21T21-00-00-quick

    RUN is a run's full name, MACHINE/RUN, its label or its folder.
    """
    as_json = wants_json(format)
    folder = results_folder(results)
    runs = list_runs(folder)
    if not runs:
        raise NothingToDo(f"no run in {folder} yet; start one with `cyclometer run`")
    if rename or label or remove:
        return _change(folder, runs, rename, label, remove or ())
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


def _change(
    folder: Path,
    runs: Sequence[StoredRun],
    rename: tuple[str, str] | None,
    label: tuple[str, str] | None,
    remove: Sequence[str],
) -> None:
    """Rename, label and remove runs; every name is looked up before anything changes."""
    renamed = (_named(runs, rename[0]), rename[1]) if rename else None
    labelled = (_named(runs, label[0]), label[1]) if label else None
    removed = [_named(runs, name) for name in dict.fromkeys(remove)]
    if labelled:
        label_run(*labelled)
        say(f"labelled {labelled[0].folder}: {labelled[1]}" if labelled[1] else f"{labelled[0].folder} has no label")
    if renamed:
        say(f"renamed {renamed[0].folder} to {rename_run(folder, *renamed)}")
    for run in removed:
        remove_run(run)
        say(f"removed {run.folder}")


def _named(runs: Sequence[StoredRun], name: str) -> StoredRun:
    """Return the run of that name. Raises `UnknownName` if there is none, `CyclometerError` if there are several."""
    by_folder = [run for run in runs if Path(name).resolve() == run.folder.resolve()]
    found = by_folder or [run for run in runs if name in {*run.names, *(f"{m}/{run.run}" for m in run.machine_names)}]
    if not found:
        raise UnknownName("run", name, [each for run in runs for each in run.names], "`cyclometer runs` lists them")
    if len(found) > 1:
        raise CyclometerError(
            f"{len(found)} runs are called {name}; name a folder: {', '.join(str(r.folder) for r in found)}"
        )
    return found[0]


def _cells(run: StoredRun) -> Sequence[str]:
    info = run.info
    if info is None:
        return [run.machine, run.run, "", "", "", "", "", "", f"{run.state}: {run.reason}"]
    duration = str(info.finished - info.started).partition(".")[0] if info.finished else ""
    started = info.started.astimezone().strftime("%Y-%m-%d %H:%M")
    state = _state(run, info.study)
    try:
        systems, samples = map(str, count_contents(run))
    except StorageFailed as error:
        systems, samples, state = "", "", f"{run.state}, unreadable: {error}"
    return [run.machine, run.run, info.label, info.profile, systems, samples, started, duration, state]


def _state(run: StoredRun, study: str) -> str:
    if run.state != "interrupted":
        return run.state
    if study:
        return f"interrupted: `cyclometer protocol {study}` measures it anew, `cyclometer runs --remove` removes this"
    return f"interrupted: resume with `cyclometer run --resume --machine {run.machine}`"


def _record(run: StoredRun) -> dict[str, Any]:
    """Return the fields that identify a run to other commands; run.json has the rest."""
    info = run.info
    systems, samples, reason = None, None, run.reason
    if info:
        try:
            systems, samples = count_contents(run)
        except StorageFailed as error:
            reason = str(error)
    return {
        "machine": run.machine,
        "run": run.run,
        "folder": str(run.folder),
        "state": "unreadable" if reason and info else run.state,
        "reason": reason,
        "label": info.label if info else None,
        "profile": info.profile if info else None,
        "systems": systems,
        "samples": samples,
        "started": info.started.isoformat() if info else None,
        "finished": info.finished.isoformat() if info and info.finished else None,
    }
