# SPDX-License-Identifier: MIT OR Apache-2.0
"""Long output on a terminal goes through a pager, as git's does."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Annotated, TextIO

import typer

Pager = Annotated[
    bool, typer.Option(help="Show what is longer than the terminal in $PAGER, or less; other output never.")
]

_LESS = "FRX"  # ends at once if all fits on the screen, shows colours, leaves the text on the screen


@contextmanager
def paged(wanted: bool = True) -> Iterator[TextIO]:
    """Yield where to write: standard output, or a pager in front of it if that is a terminal."""
    command = shlex.split(os.environ.get("PAGER", "less"))
    if not wanted or not sys.stdout.isatty() or command in ([], ["cat"]) or not shutil.which(command[0]):
        yield sys.stdout
        return
    environment = {"LESS": _LESS, **os.environ}
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment) as pager:
        assert pager.stdin
        stream = _Terminal(pager.stdin, encoding="utf-8", errors="backslashreplace")
        with suppress(BrokenPipeError):  # the reader left before the end
            yield stream
            stream.flush()
        with suppress(BrokenPipeError):
            stream.close()


class _Terminal(io.TextIOWrapper):
    """A pipe to a pager, which shows colours like the terminal behind it."""

    def isatty(self) -> bool:
        """Return True."""
        return True
