# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer export`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from cyclometer import paths
from cyclometer.analyse import prepare
from cyclometer.analyse.contents import measured, of_these
from cyclometer.analyse.estimate.rounds import exported
from cyclometer.cli import _values
from cyclometer.cli._options import AllRuns, Machines, Names, Results, Runs
from cyclometer.cli._output import complain
from cyclometer.cli._select import selected
from cyclometer.cli._streams import reader_may_leave
from cyclometer.cli._systems import chosen
from cyclometer.discover import foreign_operations
from cyclometer.discover.views import length_units
from cyclometer.errors import CyclometerError
from cyclometer.records.rounds import ExportSource
from cyclometer.report.exports import Exporter, export_names, exporter, summaries
from cyclometer.store import connect, results_folder, storage
from cyclometer.store.files import write_whole

PANEL = "Exchange and publish"

_BINARY = {"parquet"}


def command(
    format: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT", help="One of " + ", ".join(export_names()) + ".", autocompletion=_values.exports
        ),
    ],
    names: Names = None,
    *,
    run: Runs = None,
    machine: Machines = None,
    everything: AllRuns = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; default: standard output.")
    ] = None,
    results: Results = None,
) -> None:
    write = exporter(format)
    if output is None and format in _BINARY and sys.stdout.isatty():
        raise CyclometerError(f"{format} is binary; write it to a file with -o")
    folder = results_folder(results)
    stored = selected(folder, run, machine, everything=everything)
    infos = [entry.info for entry in stored if entry.info]
    with storage("read", stored[0].folder if len(stored) == 1 else folder), connect(stored) as connection:
        where = "true" if not names else of_these(chosen(measured(connection), names))
        prepare(connection, infos)
        foreign, units = foreign_operations(paths.root()), length_units(paths.root(), measured(connection))
        content = exported(connection, infos, foreign, where, units)
        notes = _write(content, write, output)
    for note in notes:
        complain(note)


_FORMATS = "\n\n".join(f"{name}: {summary}." for name, summary in summaries().items())
command.__doc__ = f"Export measurements in the format of another tool.\n\n{_FORMATS}\n"


def _write(content: ExportSource, write: Exporter, output: Path | None) -> list[str]:
    """Write to the file, whole or not at all, or to standard output, which its reader may close early."""
    notes: list[str] = []
    if output is None:
        with reader_may_leave():
            notes = write(content, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        return notes

    def fill(path: Path) -> None:
        with path.open("wb") as stream:
            notes.extend(write(content, stream))

    write_whole(output, fill)
    return notes
