# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer protocol`."""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from cyclometer import campaign
from cyclometer.cli import _values
from cyclometer.cli._json import print_json, wants_json
from cyclometer.cli._options import AllCompilers, Results, TableFormat, TimeLimit, Verbose
from cyclometer.cli._output import say
from cyclometer.cli._progress import ProgressReporter
from cyclometer.cli._select import complete_runs
from cyclometer.errors import CyclometerError, NothingToDo
from cyclometer.protocols.rungs import DEFAULT_MAC
from cyclometer.protocols.studies import Findings, Request, predicts, studies, study
from cyclometer.records.table import Report
from cyclometer.report import plots, reporter
from cyclometer.store import StoredRun, list_runs, results_folder

PANEL = "Measure"

What = Annotated[
    str,
    typer.Argument(
        metavar="[STUDY]", help="What to find out (--list); default: ladder.", autocompletion=_values.studies
    ),
]

Systems = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[SYSTEM]...",
        autocompletion=_values.systems,
        help="Block ciphers, ciphers in a mode, MACs, AEADs; api: hashes, too; default: five ciphers and five AEADs.",
    ),
]

Transports = Annotated[
    list[str] | None, typer.Option("--transport", help="queue, unix, tcp or udp (repeatable); default: queue and tcp.")
]

Payloads = Annotated[
    str, typer.Option("--payload", metavar="N,N...", help="Payloads in bytes; default: 4,45, or those of the study.")
]

InFlight = Annotated[
    str, typer.Option("--in-flight", metavar="N,N...", help="Calls sent before an answer is awaited; default: 1.")
]

Connections = Annotated[
    str, typer.Option("--keys", metavar="N,N...", help="Connections, each with keys of its own, in random turn.")
]

Apart = Annotated[bool, typer.Option("--apart", help="Also measure with client and server on two cores.")]

Formats = Annotated[
    bool, typer.Option("--formats", help="Also give packets the form of WireGuard's, QUIC's and ESP's.")
]

Rounds = Annotated[int | None, typer.Option(min=1, max=1000, help="Rounds: pairs of processes for each rung.")]


def command(
    what: What = "ladder",
    systems: Systems = None,
    *,
    mac: Annotated[str, typer.Option(help="The MAC beside ciphers.")] = DEFAULT_MAC,
    transport: Transports = None,
    payload: Payloads = "",
    in_flight: InFlight = "",
    keys: Connections = "",
    apart: Apart = False,
    formats: Formats = False,
    rounds: Rounds = None,
    all_compilers: AllCompilers = False,
    machine: Annotated[str, typer.Option(help="Name of this machine; default: its host name.")] = "",
    stored: Annotated[bool, typer.Option("--stored", help="Measure nothing: show the last run of this study.")] = False,
    time_limit: TimeLimit = 60.0,
    format: TableFormat = "terminal",
    verbose: Verbose = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw the predictions as stacked bars: .png, .svg or .pdf.")
    ] = None,
    list_only: Annotated[bool, typer.Option("--list", help="List the studies and exit.")] = False,
    results: Results = None,
) -> None:
    """Measure what cryptography costs inside a remote procedure call or another protocol, and what predicts it."""
    if list_only:
        return _list(format)
    chosen, write, folder = study(what), reporter(format), results_folder(results)
    request = Request(
        options=campaign.Options(
            machine=machine or socket.gethostname(), check_seconds=time_limit, seed=campaign.drawn_seed()
        ),
        systems=tuple(systems or ()),
        mac=mac,
        transports=tuple(transport or ()),
        payloads=_numbers("--payload", payload),
        under_way=_numbers("--in-flight", in_flight),
        keys=_numbers("--keys", keys),
        apart=apart,
        formats=formats,
        rounds=rounds,
        all_compilers=all_compilers,
    )
    _require_drawable(picture, what)
    if stored:
        run = _last(complete_runs(folder), what)
    else:
        finished = chosen.measure(request, folder, ProgressReporter(quiet=format != "terminal"))
        run = next(run for run in list_runs(folder) if run.folder == finished)
    found = chosen.findings(run)
    on_top = found.verdict if format == "terminal" else ()
    for line in (*on_top, *([""] if on_top else [])):
        say(line)
    notes = () if on_top else tuple(found.verdict)
    write(Report(tables=tuple(found.tables), failures=tuple(found.failures), notes=notes, verbose=verbose), sys.stdout)
    _draw(found, picture)


def _list(format: str) -> None:
    if wants_json(format):
        return print_json({"studies": [{"name": name, "title": study(name).TITLE} for name in studies()]})
    for name in studies():
        say(f"{name:12} {study(name).TITLE}")


def _require_drawable(file: Path | None, what: str) -> None:
    """Raise an error if the file's name is no picture's, or the study never has one: before anything is measured."""
    if file:
        if not predicts(study(what)):
            raise NothingToDo(f"--picture {file}: {what} predicts nothing that could be drawn; ladder does")
        plots.require_drawable(file)


def _draw(found: Findings, file: Path | None) -> None:
    if not file:
        return
    if not found.pictures:
        raise NothingToDo("nothing is predicted for more than one connection, so there is nothing to draw")
    plots.save_other("stacked_bars", found.pictures, file)


def _last(runs: Sequence[StoredRun], what: str) -> StoredRun:
    own = [run for run in runs if run.info and run.info.study == what]
    if not own:
        raise NothingToDo(f"no run of `cyclometer protocol {what}` yet; leave out --stored to measure one")
    return own[-1]


def _numbers(option: str, text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.split(",")) if text else ()
    except ValueError:
        raise CyclometerError(f"{option} {text} is not a list of numbers; write {option} 4,45") from None
