# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer report`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from cyclometer.cli._options import AllRuns, Machines, MinSecurity, Results, Runs, Unbroken
from cyclometer.cli._output import complain, say
from cyclometer.cli._progress import ProgressReporter
from cyclometer.cli._select import selected
from cyclometer.errors import CyclometerError
from cyclometer.store import StoredRun, results_folder

PANEL = "Look at results"


Across = Annotated[
    bool,
    typer.Option(
        "--across",
        help="Write a site over many machines and runs instead: machines × systems, orders that differ, histories "
        "(docs/web-report.md).",
    ),
]

Releases = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="With --across, the folder of releases: show them, and what changed since."),
]


def command(
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write the site to.")] = Path("site"),
    run: Runs = None,
    machine: Machines = None,
    everything: AllRuns = False,
    raw: Annotated[bool, typer.Option(help="Include the raw timings and the files of the runs.")] = True,
    unbroken: Unbroken = False,
    min_security: MinSecurity = 0,
    across: Across = False,
    releases: Releases = None,
    release: Annotated[
        str, typer.Option("--release", metavar="TITLE", help="With --releases, make a release of today, to be cited.")
    ] = "",
    results: Results = None,
) -> None:
    """Write a web site about the last run, or any set of runs; it opens from its folder, without a network."""
    if across:
        stored = selected(results_folder(results), run, machine, everything=everything or not run)
        return _across(stored, output, releases, release)
    if releases or release:
        raise CyclometerError("releases belong to the site over many machines; add --across")
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


def _across(stored: Sequence[StoredRun], output: Path, releases: Path | None, release: str) -> None:
    from cyclometer.cli._across import gathered  # noqa: PLC0415 - templates take a while to load
    from cyclometer.report.across import build_across, digests_of, write_release  # noqa: PLC0415

    if release and not releases:
        raise CyclometerError("--release needs a folder: --releases DIR")
    stage = ProgressReporter().stage
    across, database = gathered(stored, stage)
    if release and releases:
        say(write_release(across, digests_of(database.runs), releases, release).citation)
    summary = build_across(across, database, output, releases=releases)
    say(
        f"{summary.pages} pages about {len(across.machines)} machines and {len(across.infos)} runs, the largest "
        f"{summary.largest / 1e6:.2f} MB; {summary.orders} orders differ by machine: "
        f"open {(summary.folder / 'index.html').resolve()}"
    )
