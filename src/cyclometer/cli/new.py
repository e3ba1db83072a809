# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer new`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from cyclometer import paths
from cyclometer.cli._output import say
from cyclometer.discover import read_operations, template
from cyclometer.errors import CyclometerError, on_disk

PANEL = "Measure"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def command(
    operation: Annotated[str, typer.Argument(help="What it computes: crypto_hash, crypto_aead, crypto_sign ...")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make; its name is the system's.")],
) -> None:
    """Begin an implementation of your own: a folder with the header, the functions to write and what to do next.

    docs/your-code.md walks through an example.
    """
    name = folder.resolve().name
    if not _NAME.fullmatch(name):
        raise CyclometerError(f"{name!r} is no name for a system; use letters, digits, '-', '_' and '.'")
    files = template(read_operations(paths.root()), operation, name)
    if folder.is_file():
        raise CyclometerError(f"{folder} is a file; name a folder that does not exist")
    if folder.is_dir() and any(folder.iterdir()):
        raise CyclometerError(f"{folder} is not empty; name a folder that does not exist")
    with on_disk("write", folder):
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
    where = folder if folder.is_absolute() or str(folder).startswith(".") else f"./{folder}"
    say(f"wrote {', '.join(files)} in {folder}; write your code into {name}.c, then: cyclometer check {where}")
