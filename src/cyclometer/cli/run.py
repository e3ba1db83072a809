# SPDX-License-Identifier: MIT OR Apache-2.0
"""cyclometer run"""

from __future__ import annotations

import secrets
import socket
from pathlib import Path
from typing import Annotated

import typer

from cyclometer import campaign, paths
from cyclometer.cli._listing import print_listing
from cyclometer.cli._options import AllCompilers, Keys, Lengths, Results, TimeLimit, Tree
from cyclometer.cli._progress import ProgressReporter
from cyclometer.errors import CyclometerError, NothingToDo
from cyclometer.records.grid import texts_asked
from cyclometer.store import StoredRun, list_runs, results_folder

Rounds = Annotated[int | None, typer.Option(min=1, max=1000, help="processes per system; default: the profile's")]

Patience = Annotated[
    float | None,
    typer.Option(min=0, help="seconds a process may wait for quiet moments; default: 0.05, of many systems 0.02"),
]

ListOnly = Annotated[
    bool, typer.Option("--list", help="say what there is; with --tree, what is left out, too, and why; run nothing")
]


def command(
    systems: Annotated[
        list[str] | None, typer.Argument(help="systems, operations or patterns; default: nine AEADs (crypto_aead: all)")
    ] = None,
    profile: Annotated[str, typer.Option(help="quick, or full: every packet length 0..8192")] = "quick",
    machine: Annotated[str, typer.Option(help="name of this machine in the results")] = "",
    implementation: Annotated[list[str] | None, typer.Option(help="only this implementation (repeatable)")] = None,
    compiler: Annotated[list[str] | None, typer.Option(help="only this compiler (repeatable)")] = None,
    all_compilers: AllCompilers = False,
    length: Lengths = "",
    keys: Keys = "",
    rounds: Rounds = None,
    patience: Patience = None,
    seed: Annotated[int | None, typer.Option(min=0, help="fixes orders and inputs; default: random")] = None,
    time_limit: TimeLimit = 60.0,
    constant_time: Annotated[
        bool, typer.Option("--constant-time", help="follow the chosen tunings' secrets too: docs/constant-time.md")
    ] = False,
    foreign: Tree = None,
    list_only: ListOnly = False,
    resume: Annotated[bool, typer.Option("--resume", help="finish the latest interrupted run")] = False,
    tables: Annotated[bool, typer.Option(help="print the tables at the end")] = True,
    results: Results = None,
) -> None:
    """Build, check, tune and measure; store a run and print its tables."""
    if list_only:
        return print_listing(foreign, systems or ())
    reporter = ProgressReporter()
    folder = results_folder(results)
    lengths, numbers = texts_asked(length, keys)
    options = campaign.Options(
        systems=tuple(systems or ()),
        profile=profile,
        machine=machine or socket.gethostname(),
        implementations=tuple(implementation or ()),
        compilers=tuple(compiler or ()),
        all_compilers=all_compilers,
        rounds=rounds,
        patience_ms=None if patience is None else round(patience * 1000),
        seed=secrets.randbelow(1 << 32) if seed is None else seed,
        check_seconds=time_limit,
        constant_time=constant_time,
        tree=str(foreign.resolve()) if foreign else "",
        lengths=lengths,
        keys=numbers,
    )
    interrupted = _interrupted(folder, options) if resume else None
    environment = _bench(interrupted, options, reporter)
    if interrupted:
        done = campaign.resume(environment, interrupted.folder, reporter)
    else:
        done = campaign.run(environment, options, folder, reporter)
    reporter.say(f"stored {done}")
    if tables:
        from cyclometer.cli.table import command as table  # noqa: PLC0415 - reading results only when asked

        table(run=[done.name], results=results)


def _bench(
    interrupted: StoredRun | None, options: campaign.Options, reporter: ProgressReporter
) -> campaign.Environment:
    """The machine made ready, and what is to be said before. A resumed run goes on with the tree, the systems and the
    counter it has."""
    counter = ""
    if interrupted and interrupted.info:
        options, counter = campaign.Options.of_run(interrupted.info), interrupted.info.counter["name"]
    environment = campaign.prepare_environment(
        paths.root(), systems=options.systems, counter=counter, foreign=options.tree
    )
    reporter.say_what_there_is(environment)
    return environment


def _interrupted(results: Path, options: campaign.Options) -> StoredRun:
    """The latest of this machine; which systems, is said in it."""
    what = (options.systems, options.implementations, options.compilers, options.tree, options.lengths, options.keys)
    if any(what):
        raise CyclometerError("--resume finishes the latest interrupted run as it was begun: do not say what to run")
    machine = options.machine
    runs = [run for run in list_runs(results) if run.state == "interrupted" and run.machine == machine]
    if not runs:
        raise NothingToDo(f"no interrupted run of {machine} in {results}; `cyclometer runs` lists what is there")
    return max(runs, key=lambda run: run.run)
