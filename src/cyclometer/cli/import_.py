# SPDX-License-Identifier: MIT OR Apache-2.0
"""cyclometer import"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from cyclometer import paths
from cyclometer.cli._options import Results
from cyclometer.discover import foreign_operations
from cyclometer.store import results_folder
from cyclometer.store.importers import ImportResult, import_files, importer_names


def command(
    files: Annotated[list[Path], typer.Argument(help="data files, plain or compressed (.xz, .gz, .bz2)")],
    machine: Annotated[str, typer.Option(help="name of the machine instead of the one in the data")] = "",
    results: Results = None,
) -> None:
    haul = import_files(files, results_folder(results), foreign_operations(paths.root()), machine)
    for folder in haul.stored:
        print(f"stored {folder} ({haul.samples[folder]} samples)")
    for line in _remarks(haul):
        print(f"cyclometer: {line}", file=sys.stderr)


command.__doc__ = f"""Read published measurements into runs, one for each machine and date.

Formats: {", ".join(importer_names())}. What is read is kept apart from one's own
by its contract: see docs/exchange.md.
"""


def _remarks(haul: ImportResult) -> list[str]:
    """What was not read and why."""
    remarks = [
        f"{odd.file}: {odd.count} of {haul.lines[odd.file]} lines {'read although' if odd.read else 'not read'}: "
        f"{odd.reason} (first: line {odd.first})"
        for odd in haul.odd
    ]
    if haul.left_out:
        kinds = ", ".join(f"{kind} ({count})" for kind, count in sorted(haul.left_out.items()))
        remarks.append(f"records that are no timings left out: {kinds}")
    return remarks
