# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer serve`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from functools import cache
from typing import TYPE_CHECKING, Annotated

import typer

from cyclometer.cli._options import AllRuns, Machines, Results, Runs
from cyclometer.cli._output import complain
from cyclometer.cli._select import selected
from cyclometer.errors import NothingToDo
from cyclometer.store import StoredRun, fingerprint, list_runs, results_folder

PANEL = "Look at results"

if TYPE_CHECKING:
    from cyclometer.analyse.site_data import SiteData

DEFAULT_PORT = 8402


def command(
    *,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="TCP port on 127.0.0.1; 0 picks a free one.")
    ] = DEFAULT_PORT,
    run: Runs = None,
    machine: Machines = None,
    everything: AllRuns = False,
    results: Results = None,
) -> None:
    """Serve the report to browsers on this machine, and keep it up to date while a run is in progress."""
    from cyclometer.cli._site import site_data_of  # noqa: PLC0415
    from cyclometer.report.site.server import serve  # noqa: PLC0415 - templates take a while to load

    folder = results_folder(results)

    @cache
    def say_once(line: str) -> None:
        complain(line)

    def choose() -> Sequence[StoredRun]:
        """Return a run in progress that has samples, else the runs that `report` would select."""
        under_way = [
            entry
            for entry in list_runs(folder)
            if entry.state == "under way"
            and entry.sample_files
            and (not machine or not {*entry.machine_names}.isdisjoint(machine))
        ]
        if under_way and not run and not everything:
            return under_way[-1:]
        chosen = selected(folder, run, machine, everything=everything, say=say_once)
        return [*chosen, *under_way] if everything else chosen

    def show() -> tuple[object, bool, AbstractContextManager[SiteData]]:
        stored = choose()
        is_under_way = any(entry.state == "under way" for entry in stored)
        return fingerprint(stored), is_under_way, site_data_of(stored, threads=1)

    with suppress(NothingToDo):  # a run may begin later; what is named must exist
        choose()
    with suppress(OSError):
        os.nice(10)  # a run may be in progress
    serve(show, port, complain)
