# SPDX-License-Identifier: MIT OR Apache-2.0
"""Prints the man page, made from the help of the command line (`make man`)."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Iterator
from typing import Any

import typer

from cyclometer.cli import application


def page() -> Iterator[str]:
    """Yield the lines of the page."""
    version = importlib.metadata.version("cyclometer")
    group: Any = typer.main.get_command(application())
    yield '.\\" SPDX-License-Identifier: MIT OR Apache-2.0'
    yield '.\\" Made by make man.'
    yield f'.TH CYCLOMETER 1 "" "cyclometer {version}" "User Commands"'
    yield ".SH NAME\ncyclometer \\- tells how fast cryptography is on this machine"
    yield ".SH SYNOPSIS\n.B cyclometer\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]..."
    yield f".SH DESCRIPTION\n{roff(group.help or '')}"
    yield ".SH COMMANDS"
    for name, command in sorted(group.commands.items()):
        yield from section(name, command)
    yield ".SH EXIT STATUS"
    for status, meaning in (
        ("0", "success"),
        ("1", "a check fails, or a limit is exceeded"),
        ("2", "bad input, with one line on standard error that names the thing and the remedy"),
        ("128+N", "ended by signal N"),
    ):
        yield f".TP\n.B {status}\n{meaning}"
    yield ".SH ENVIRONMENT"
    for name, meaning in (
        ("CYCLOMETER_RESULTS", "folder of the stored runs; default: ./results"),
        ("CYCLOMETER_CACHE", "folder of what was built; default: $XDG_CACHE_HOME/cyclometer, else ~/.cache/cyclometer"),
        ("CYCLOMETER_TREE", "tree of primitives and harness; default: the one that was installed"),
    ):
        yield f".TP\n.B {name}\n{meaning}"
    yield ".SH FILES\nThe documents are in share/doc/cyclometer, beside share/man."


def section(name: str, command: Any) -> Iterator[str]:
    """Yield the lines of one subcommand."""
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    usage = " ".join(roff(str(argument.metavar or argument.name.upper())) for argument in arguments)
    yield f".SS cyclometer {roff(name)} [\\fIOPTION\\fR]... {usage}".rstrip()
    for paragraph in (command.help or "").split("\n\n"):
        kept = "\b" in paragraph
        text = roff(paragraph.replace("\b\n", "").replace("\b", ""))
        yield f".PP\n.nf\n{text}\n.fi" if kept else f".PP\n{text}"
    for option in command.params:
        if option.param_type_name == "option" and not option.hidden:
            names = ", ".join([*option.opts, *option.secondary_opts])
            value = "" if option.is_flag else f" \\fI{roff(str(option.metavar or 'VALUE'))}\\fR"
            yield f".TP\n\\fB{roff(names)}\\fR{value}\n{roff(option.help or '')}"


def roff(text: str) -> str:
    """Return text that roff prints as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


if __name__ == "__main__":
    sys.stdout.write("\n".join(page()) + "\n")
