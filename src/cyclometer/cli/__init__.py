# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command line: one file per subcommand in this package, each thin over the stages.

A subcommand is a module with `def command(...)` for typer; its file name is
the subcommand's name (without the underscore at the end that keeps it from being
a word of Python: `import_.py`). Nothing else lists them.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
import sys
from typing import Annotated, NoReturn

import typer

from cyclometer.errors import CyclometerError


def application(only: str = "") -> typer.Typer:
    """Every module of this package whose name has no underscore in front is a subcommand.

    Where `only` names one, the others are left out: to import them takes longer than to print a table.
    """
    app = typer.Typer(
        pretty_exceptions_enable=False,
        help="How fast is cryptography here? Builds, checks, tunes and measures; prints cycles.",
    )
    modules = {
        module.name.rstrip("_").replace("_", "-"): module.name
        for module in sorted(pkgutil.iter_modules(__path__), key=lambda entry: entry.name)
        if not module.name.startswith("_")
    }
    for name in [only] if only in modules else modules:
        app.command(name=name)(importlib.import_module(f"{__name__}.{modules[name]}").command)
    app.callback()(_version)  # a program of one subcommand has its name all the same
    return app


def _say_version(asked: bool) -> None:
    if asked:
        print(f"cyclometer {importlib.metadata.version('cyclometer')}")
        raise typer.Exit()


def _version(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="say which version this is")
    ] = False,
) -> None:
    pass


# click's UsageError, or that of the copy of click inside newer typers.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]
INTERRUPTED = 130


def main() -> None:
    """Entry point: bad input is one line on standard error and exit status 2."""
    try:
        status = application(*sys.argv[1:2])(sys.argv[1:] or ["--help"], standalone_mode=False)
    except CyclometerError as error:
        _end(str(error), error.exit_status)
    except _UsageError as error:
        words = getattr(error, "format_message", error.__str__)()
        _end(" ".join(words.split()), CyclometerError.exit_status)
    except typer.Abort:
        status = INTERRUPTED
    if status == INTERRUPTED:  # the keyboard, by whichever way this typer tells it
        _end("interrupted; `cyclometer run --resume` finishes an unfinished run", INTERRUPTED)
    sys.exit(status)


def _end(words: str, status: int) -> NoReturn:
    print(f"cyclometer: {words}", file=sys.stderr)
    sys.exit(status)
