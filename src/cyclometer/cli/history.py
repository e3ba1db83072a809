# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer history`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from cyclometer.analyse.history import RunCells, histories, history_table
from cyclometer.cli import _values
from cyclometer.cli._options import EveryRun, Machines, Measures, Results, TableFormat
from cyclometer.cli._output import complain
from cyclometer.cli._progress import ProgressReporter
from cyclometer.cli._select import selected
from cyclometer.cli._summaries import cells_of_run, do_all, missing_cells
from cyclometer.cli._systems import chosen
from cyclometer.errors import NothingToDo
from cyclometer.records.grid import keys_of, lengths_of
from cyclometer.records.table import Report
from cyclometer.report import plots, reporter
from cyclometer.store import results_folder, systems_of_runs

PANEL = "Look at results"

Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Also draw the history into this file: .png, .svg or .pdf.")
]

Lengths = Annotated[
    str,
    typer.Option(
        metavar="N,N-N,N-N/STEP...",
        help="Lengths, in bytes or what the operation counts; default: the one that most runs measured.",
    ),
]

Keys = Annotated[str, typer.Option(metavar="N,N...", help="Numbers of active keys; default: 1, if it was measured.")]


def command(
    systems: Annotated[
        list[str],
        typer.Argument(metavar="SYSTEM...", help="Systems, operations or patterns.", autocompletion=_values.systems),
    ],
    *,
    measure: Measures = None,
    length: Lengths = "",
    keys: Keys = "",
    run: EveryRun = None,
    machine: Machines = None,
    output: Output = None,
    format: TableFormat = "terminal",
    results: Results = None,
) -> None:
    """Show a system over all runs of each machine, oldest first, and where its speed changed for good.

    docs/ci.md explains how changes are found. --run 'nightly-*' takes only runs with such names.
    """
    write, folder = reporter(format), results_folder(results)
    if output:
        plots.require_drawable(output)
    lengths, numbers = ([v for values in each for v in values] for each in (lengths_of(length), keys_of(keys)))
    stored = selected(folder, run, machine, everything=True)
    named = chosen(systems_of_runs(stored), systems)
    do_all(missing_cells(stored), ProgressReporter().stage)
    runs = [RunCells(info=entry.info, file=cells_of_run(entry)) for entry in stored if entry.info]
    found, notes = histories(runs, named, measure or (), lengths, numbers)
    if not found:
        raise NothingToDo(
            "no two comparable runs measured this; `cyclometer runs` lists all, and --run takes comparisons, too"
        )
    tables = tuple(history_table(each) for each in found)
    if output:
        for drawn in plots.save_other("history", list(zip(found, tables, strict=True)), output):
            complain(f"drew {drawn}")
    write(Report(tables=tables, notes=tuple(notes)), sys.stdout)
