# SPDX-License-Identifier: MIT OR Apache-2.0
"""The names that users give to runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from cyclometer.errors import CyclometerError, StorageFailed
from cyclometer.store import list_runs

RunName = Annotated[
    str,
    typer.Option(
        "--name",
        metavar="NAME",
        help="Name of the run, by which --run finds it; refused if this machine has a run of that name. "
        "Default: the time and the profile.",
    ),
]

_NAME = re.compile(r"[\w][\w.+@=,-]{0,199}")


def require_new_name(results: Path, machine: str, name: str) -> None:
    """Raise an error, before anything is built, if a run cannot have this name; '' is none and always possible."""
    if not name:
        return
    if not _NAME.fullmatch(name):
        raise CyclometerError(
            f"--name {name!r} cannot name a run; begin with a letter or digit, and use at most 200 letters, digits "
            "and . _ + - @ = ,"
        )
    for entry in list_runs(results):
        if machine in entry.machine_names and name in entry.names:
            completed = f"`cyclometer run --resume --name {name}` completes it"
            remedy = completed if entry.state == "interrupted" else "choose another name"
            raise StorageFailed(
                f"{machine} has a run called {name} already ({entry.folder}); {remedy}, or remove it with "
                f"`cyclometer runs --remove {name}`"
            )
