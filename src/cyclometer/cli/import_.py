# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer import`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cyclometer import paths
from cyclometer.cli._options import Results
from cyclometer.cli._output import complain, say
from cyclometer.discover import foreign_operations
from cyclometer.store import results_folder
from cyclometer.store.importers import ImportResult, import_files, importer_names
from cyclometer.untrusted import shortened

PANEL = "Exchange and publish"


def command(
    files: Annotated[list[Path], typer.Argument(help="Data files, plain or compressed (.xz, .gz, .bz2).")],
    machine: Annotated[str, typer.Option(help="Machine name; default: the one in the data.")] = "",
    results: Results = None,
) -> None:
    result = import_files(files, results_folder(results), foreign_operations(paths.root()), machine)
    for folder in result.stored:
        say(f"stored {folder} ({result.samples[folder]} samples)")
    for line in _notes(result):
        complain(line)


command.__doc__ = f"""Import published measurements as runs, one per machine and date.

Formats: {", ".join(importer_names())}. Imported numbers have a contract of their own
and are not compared with yours unless you ask for it (docs/exchange.md).
"""


MAX_NOTES = 20
"""Kinds of problems, and of records, that are named."""


def _notes(result: ImportResult) -> list[str]:
    """Describe what was not read and why."""
    notes = [
        f"{odd.file}: {odd.count} of {result.lines[odd.file]} lines {'read although' if odd.read else 'not read'}: "
        f"{odd.reason} (first: line {odd.first})"
        for odd in result.odd[:MAX_NOTES]
    ]
    if len(result.odd) > MAX_NOTES:
        notes.append(f"and {len(result.odd) - MAX_NOTES} more problems")
    if result.left_out:
        most = sorted(sorted(result.left_out.items()), key=lambda each: -each[1])[:MAX_NOTES]
        kinds = ", ".join(f"{shortened(kind)} ({count})" for kind, count in sorted(most))
        more = len(result.left_out) - len(most)
        notes.append(f"left out, as they are not timings: {kinds}" + (f", and {more} more kinds" if more else ""))
    return notes
