# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer fleet`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from cyclometer.campaign import Options, drawn_seed
from cyclometer.cli import _values
from cyclometer.cli._options import (
    AllCompilers,
    Compilers,
    Implementations,
    Keys,
    Lengths,
    Results,
    TimeLimit,
    Tree,
    Unsafe,
)
from cyclometer.cli._output import complain, console, plain
from cyclometer.errors import CyclometerError, MachineUnfit, NothingToDo
from cyclometer.records.grid import texts_asked
from cyclometer.store import results_folder

PANEL = "Exchange and publish"

group = typer.Typer(no_args_is_help=True, help="Measure on many machines (docs/fleet.md).")

Roster = Annotated[Path, typer.Argument(metavar="FLEET.toml", help="The machines and how each is reached.")]

Systems = Annotated[
    list[str] | None,
    typer.Argument(
        help="Systems, operations or patterns; default: as `cyclometer run`.", autocompletion=_values.systems
    ),
]


@group.command()
def run(
    roster: Roster,
    systems: Systems = None,
    profile: Annotated[str, typer.Option(help="quick, or full (every packet length from 0 to 8192 bytes).")] = "quick",
    implementation: Implementations = None,
    compiler: Compilers = None,
    all_compilers: AllCompilers = False,
    length: Lengths = "",
    keys: Keys = "",
    rounds: Annotated[int | None, typer.Option(min=1, max=1000, help="Rounds per system; default: profile's.")] = None,
    patience: Annotated[
        float | None, typer.Option(min=0, metavar="SECONDS", help="As that of `cyclometer run`.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the measuring order; default: random.")] = None,
    time_limit: TimeLimit = 60.0,
    foreign: Tree = None,
    unsafe: Unsafe = False,
    resume: Annotated[bool, typer.Option("--resume", help="Complete the campaign that was interrupted last.")] = False,
    results: Results = None,
) -> None:
    """Run one campaign on every machine of FLEET.toml and store all runs here; status 1 if a machine has none."""
    try:
        from cyclometer.fleet import EMULATED, FleetCampaign, read_fleet  # noqa: PLC0415 - of an optional group
    except ModuleNotFoundError as error:
        raise MachineUnfit(f"{error.name} is not installed; pip install 'cyclometer[fleet]'") from None
    machines = read_fleet(roster)
    folder = results_folder(results)
    if resume:
        if systems or implementation or compiler or length or keys or foreign:
            raise CyclometerError("--resume completes the campaign as it was started; do not name systems or options")
        begun = FleetCampaign.resume(machines, folder, _say)
    else:
        lengths, numbers = texts_asked(length, keys)
        options = Options(
            systems=tuple(systems or ()),
            profile=profile,
            implementations=tuple(implementation or ()),
            compilers=tuple(compiler or ()),
            all_compilers=all_compilers,
            rounds=rounds,
            patience_ms=None if patience is None else round(patience * 1000),
            seed=drawn_seed(seed),
            check_seconds=time_limit,
            tree=str(foreign.resolve()) if foreign else "",
            unsafe=unsafe,
            lengths=lengths,
            keys=numbers,
        )
        begun = FleetCampaign.start(machines, options, folder, _say)
    done = begun.run()
    without = [name for name, what in done.items() if not (what.startswith(EMULATED) or os.path.isdir(what))]
    if len(without) == len(done):
        raise NothingToDo("no machine has a run: " + "; ".join(f"{name}: {done[name]}" for name in without))
    if without:
        complain(f"no run of {', '.join(without)}: the reasons are above")
        raise typer.Exit(1)


def _say(line: str) -> None:
    """Print a line of progress at once."""
    console(stderr=True).print(plain(line), soft_wrap=True)
