# SPDX-License-Identifier: MIT OR Apache-2.0
"""Everything that a command prints passes here, where it loses all control over the terminal.

Names come from foreign trees, imports and copied results, messages from compilers and programs. Rich's markup and
emoji codes are not interpreted in them.
"""

from __future__ import annotations

import sys

from rich.console import Console
from rich.text import Text

from cyclometer.untrusted import printable

_INDENT = " " * 8
_TAB = "\t"


def say(line: object) -> None:
    """Print one line on standard output."""
    print(printable(line))


def say_lines(text: str) -> None:
    """Print the lines of a message, such as a compiler's, indented, so that none passes for a line of ours."""
    for line in text.splitlines():
        print(f"{_INDENT}{printable(line, keep=_TAB)}")


def complain(line: object) -> None:
    """Print one line on standard error, after the name of the program."""
    print(f"cyclometer: {printable(line)}", file=sys.stderr)


def plain(text: object, style: str = "") -> Text:
    """Return one line of text that rich prints as it is."""
    return Text(printable(text), style=style)


def console(*, stderr: bool = False, quiet: bool = False, width: int | None = None) -> Console:
    """Return the console for what is drawn: tables and progress bars, of texts made by `plain`."""
    return Console(stderr=stderr, quiet=quiet, width=width, highlight=False, markup=False, emoji=False)
