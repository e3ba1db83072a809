# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer run`."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from cyclometer import campaign, paths
from cyclometer.campaign.budget import Budgeted, only_campaign_in, seconds_of
from cyclometer.cli import _values
from cyclometer.cli._budget import run_within
from cyclometer.cli._folders import SameAs, as_tree, resolve
from cyclometer.cli._listing import print_listing
from cyclometer.cli._naming import RunName, require_new_name
from cyclometer.cli._options import (
    AdLengths,
    Alignment,
    AllCompilers,
    Between,
    CallSites,
    Cold,
    Compilers,
    Implementations,
    Keys,
    Layouts,
    Lengths,
    Results,
    TimeLimit,
    Toolchain,
    Tree,
    Unsafe,
    Verbose,
    Without,
    features_named,
)
from cyclometer.cli._output import complain, say
from cyclometer.cli._progress import ProgressReporter
from cyclometer.errors import CyclometerError, NothingToDo
from cyclometer.records.grid import ad_lengths_of, text_of, texts_asked
from cyclometer.records.placement import MAX_BETWEEN, alignments_of, cold_of, numbers_of
from cyclometer.store import StoredRun, list_runs, missing_parts, read_digests, results_folder, run_info

PANEL = "Measure"

Rounds = Annotated[
    int | None, typer.Option(min=1, max=1000, help="Rounds (processes) per system; default: the profile's.")
]

Patience = Annotated[
    float | None,
    typer.Option(
        min=0,
        metavar="SECONDS",
        help="How long a process may wait for an undisturbed core; default: 0.05, or 0.02 for many systems.",
    ),
]

ListOnly = Annotated[
    bool, typer.Option("--list", help="List the systems and exit; with --tree, also show what is skipped and why.")
]


Systems = Annotated[
    list[str] | None,
    typer.Argument(
        help="Systems, operations or patterns; default: nine AEADs (`crypto_aead` for all).",
        autocompletion=_values.systems,
    ),
]

Seed = Annotated[
    int | None, typer.Option(min=0, help="Seed of the measuring order, and with --tree of the inputs; default: random.")
]

ConstantTime = Annotated[
    bool,
    typer.Option(
        "--constant-time",
        help="Also check whether the time of the chosen tunings depends on secrets (docs/constant-time.md).",
    ),
]

Profile = Annotated[
    str,
    typer.Option(
        autocompletion=_values.profiles,
        help="quick; full (every packet length from 0 to 8192 bytes); or placement "
        "(cold, misaligned, other layouts: docs/will-my-program-see-this-number.md).",
    ),
]

Resume = Annotated[
    bool,
    typer.Option("--resume", help="Complete this machine's latest interrupted run, or the one that --name names."),
]


BudgetText = Annotated[
    str,
    typer.Option(
        "--budget",
        metavar="TIME",
        help="Stop after this time, such as 90min, with what is known to be slow last; list what was not reached.",
    ),
]


def command(
    systems: Systems = None,
    profile: Profile = "quick",
    machine: Annotated[str, typer.Option(help="Name of this machine in the results; default: its host name.")] = "",
    name: RunName = "",
    implementation: Implementations = None,
    compiler: Compilers = None,
    all_compilers: AllCompilers = False,
    length: Lengths = "",
    keys: Keys = "",
    ad: AdLengths = "",
    rounds: Rounds = None,
    patience: Patience = None,
    seed: Seed = None,
    without: Without = "",
    toolchain: Toolchain = "",
    time_limit: TimeLimit = 60.0,
    constant_time: ConstantTime = False,
    cold: Cold = "",
    alignment: Alignment = None,
    call_sites: CallSites = 0,
    between: Between = "",
    layouts: Layouts = 0,
    foreign: Tree = None,
    same_as: SameAs = "",
    unsafe: Unsafe = False,
    list_only: ListOnly = False,
    budget: BudgetText = "",
    resume: Resume = False,
    tables: Annotated[bool, typer.Option(help="Print the tables at the end.")] = True,
    verbose: Verbose = False,
    results: Results = None,
) -> None:
    """Build, check, tune and measure systems; store the run and print its tables."""
    if list_only:
        return print_listing(*as_tree(foreign, systems or ()))
    reporter, folder = ProgressReporter(), results_folder(results)
    options = campaign.Options(
        **resolve(systems or (), same_as).beside_its_model(),
        name=name,
        profile=profile,
        machine=machine or socket.gethostname(),
        implementations=tuple(implementation or ()),
        compilers=tuple(compiler or ()),
        all_compilers=all_compilers,
        rounds=rounds,
        patience_ms=None if patience is None else round(patience * 1000),
        seed=campaign.drawn_seed(seed),
        check_seconds=time_limit,
        constant_time=constant_time,
        **_sources(foreign, unsafe, toolchain),
        **_lengths(length, keys, ad),
        without=features_named(without),
        **_placement(cold, alignment or (), call_sites, between, layouts),
    )
    if budget:
        return _within_budget(budget, options, folder, reporter, resume=resume)
    stored = _measured(options, folder, reporter, resume=resume)
    if tables:
        _print_tables(stored, verbose=verbose, results=results)


def _measured(options: campaign.Options, folder: Path, reporter: ProgressReporter, *, resume: bool) -> Path:
    """Measure what was asked for, or finish the interrupted run; return the folder of the run."""
    require_new_name(folder, options.machine, "" if resume else options.name)
    interrupted = _interrupted(folder, options, reporter) if resume else None
    environment = _environment(interrupted, options, reporter)
    if not environment.is_timed:
        raise CyclometerError(f"--toolchain {options.toolchain} is for `cyclometer check`; nothing is timed with it")
    if interrupted:
        stored = campaign.resume(environment, interrupted.folder, reporter)
    else:
        stored = campaign.run(environment, options, folder, reporter)
    reporter.say(f"stored {stored}")
    return stored


def _within_budget(
    budget: str, options: campaign.Options, folder: Path, reporter: ProgressReporter, *, resume: bool
) -> None:
    """Run part after part until the time is up; say what was not reached. Exit status 1 if a part has no run."""
    seconds = seconds_of(budget)
    if options.name:
        raise CyclometerError("--budget makes several runs; leave out --name")
    with only_campaign_in(folder):
        budgeted = Budgeted.resume(folder) if resume else Budgeted.start(folder, options)
        measure = partial(_measured_part, budgeted.options, folder, reporter)
        left = run_within(seconds, budgeted, budgeted.options.tree, measure, reporter.say)
    for system in left:
        say(f"not reached: {system}")
    if left:
        count = "1 system was" if len(left) == 1 else f"{len(left)} systems were"
        complain(f"{count} not reached; `cyclometer run --budget TIME --resume` measures the rest")
    if budgeted.failed:
        raise typer.Exit(1)


def _measured_part(
    options: campaign.Options, folder: Path, reporter: ProgressReporter, systems: list[str], resume: bool
) -> Path:
    """Measure the systems of a part, or finish its run; return the folder of the run."""
    if resume:
        with suppress(NothingToDo):  # the part had not yet begun its run
            return _measured(campaign.Options(machine=options.machine), folder, reporter, resume=True)
    return _measured(replace(options, systems=tuple(systems)), folder, reporter, resume=False)


def _lengths(length: str, keys: str, ad: str) -> dict[str, Any]:
    """Return the values of the grid's variables that replace the profile's."""
    lengths, numbers = texts_asked(length, keys)
    return {"lengths": lengths, "keys": numbers, "ad_lengths": text_of(ad_lengths_of(ad))}


def _sources(foreign: Path | None, unsafe: bool, toolchain: str) -> dict[str, Any]:
    return {"tree": str(foreign.resolve()) if foreign else "", "unsafe": unsafe, "toolchain": toolchain}


def _placement(cold: str, alignments: Sequence[str], call_sites: int, between: str, layouts: int) -> dict[str, Any]:
    """Return the variables of placement; CyclometerError says what is wrong with one."""
    return {
        "cold": cold_of(cold),
        **alignments_of(alignments),
        "call_sites": call_sites,
        "between": numbers_of("--between", between, MAX_BETWEEN),
        "layouts": layouts,
    }


def _print_tables(stored: Path, *, verbose: bool, results: Path | None) -> None:
    from cyclometer.cli.table import command as table  # noqa: PLC0415 - reading results only when asked

    machine = [stored.parent.name]
    table(run=[stored.name], machine=machine, verbose=verbose, results=results)
    if campaign.Options.of_run(run_info(stored)).placement.asks:  # --resume does not name it again
        try:
            table(run=[stored.name], machine=machine, by="placement", verbose=verbose, results=results)
        except NothingToDo:  # whatever was asked for, the ordinary numbers are there
            complain("placement could not be measured here; `cyclometer table --failures` says why")


def _environment(
    interrupted: StoredRun | None, options: campaign.Options, reporter: ProgressReporter
) -> campaign.Environment:
    """Prepare and describe the environment; a resumed run keeps its tree, systems and counter."""
    counter = ""
    if interrupted and interrupted.info:
        options, counter = campaign.Options.of_run(interrupted.info), interrupted.info.counter.get("name", "")
    environment = campaign.environment_for(paths.root(), options, counter=counter)
    reporter.say_what_there_is(environment)
    return environment


def _interrupted(results: Path, options: campaign.Options, reporter: ProgressReporter) -> StoredRun:
    """Return this machine's interrupted run of the name asked for, else its latest; say what of it was deleted.

    Raises `NothingToDo` if there is none.
    """
    o = options
    if o.placement.asks or any((o.systems, o.implementations, o.compilers, o.tree, o.lengths, o.keys, o.ad_lengths)):
        raise CyclometerError(
            "--resume completes the interrupted run as it was started; do not name systems or options"
        )
    machine, called = options.machine, f" called {options.name}" if options.name else ""
    stored = [run for run in list_runs(results) if machine in run.machine_names]
    begun = [run for run in stored if run.folder.name.startswith(".") and (not o.name or o.name in run.names)]
    runs = [run for run in begun if run.state == "interrupted" and run.info and not run.info.study]
    unreadable = "; ".join(run.reason for run in begun if run.state == "unreadable")
    if not runs:
        reason = f" ({unreadable})" if unreadable else ""
        raise NothingToDo(
            f"no interrupted run{called} of {machine} in {results}{reason}; `cyclometer runs` lists all runs"
        )
    if unreadable:
        reporter.say(f"left out {unreadable}")
    latest = runs[-1]  # the oldest is listed first
    for part in missing_parts(latest.folder, read_digests(latest.folder) or {}):
        reporter.say(f"{part} was deleted; it is measured again")
    return latest
