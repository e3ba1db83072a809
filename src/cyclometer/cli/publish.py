# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer publish`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cyclometer import paths, signing
from cyclometer.cli._options import AllRuns, Machines, Results, Runs
from cyclometer.cli._output import say
from cyclometer.cli._select import selected
from cyclometer.errors import CyclometerError
from cyclometer.publish import hand_on, make_bundle
from cyclometer.store import results_folder

PANEL = "Exchange and publish"

Key = Annotated[
    Path, typer.Option(metavar="FILE", help="Your private key: Ed25519, as `ssh-keygen -t ed25519` makes it.")
]
Target = Annotated[
    str, typer.Argument(metavar="FOLDER|git:CLONE|URL", help="A folder, a clone of a git repository, or a collection.")
]


def command(
    target: Target,
    key: Key,
    run: Runs = None,
    machine: Machines = None,
    everything: AllRuns = False,
    results: Results = None,
) -> None:
    """Sign a bundle of complete runs, with the sources that repeat them, and hand it on (docs/publish.md)."""
    stored = selected(results_folder(results), run, machine, everything=everything)
    if unfinished := [each.run for each in stored if each.state != "complete"]:
        raise CyclometerError(f"{unfinished[0]} is not complete; `cyclometer run --resume` completes it")
    say(hand_on(make_bundle(stored, paths.root(), signing.read_key(key)), target))
