# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cyclometer.cli._options import AllRuns, Machines, MinSecurity, Results, Runs, Unbroken
from cyclometer.cli._output import complain, say
from cyclometer.cli._progress import ProgressReporter
from cyclometer.cli._select import selected
from cyclometer.store import results_folder

PANEL = "Look at results"


def command(
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write the site to.")] = Path("site"),
    run: Runs = None,
    machine: Machines = None,
    everything: AllRuns = False,
    raw: Annotated[bool, typer.Option(help="Include the raw timings and the files of the runs.")] = True,
    unbroken: Unbroken = False,
    min_security: MinSecurity = 0,
    results: Results = None,
) -> None:
    """Write a web site about the last run, or any set of runs; it opens from its folder, without a network."""
    from cyclometer.analyse.site_data import SecurityFilter  # noqa: PLC0415 - templates take a while to load
    from cyclometer.cli._site import site_data_of  # noqa: PLC0415
    from cyclometer.report.site import build_site  # noqa: PLC0415

    stored = selected(results_folder(results), run, machine, everything=everything)
    least = SecurityFilter(unbroken=unbroken, bits=min_security)
    stage = ProgressReporter().stage
    summary = build_site(site_data_of(stored, least=least), output, with_raw=raw, stage=stage)
    for note in summary.notes:
        complain(note)
    say(
        f"{summary.pages} pages about {summary.systems} systems and {summary.timings} timings, "
        f"{summary.bytes / 1e6:.1f} MB: open {(summary.folder / 'index.html').resolve()}"
    )
