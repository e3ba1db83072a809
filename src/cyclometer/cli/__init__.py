# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command line: one module per subcommand, each a thin layer over the stages.

A subcommand is a module with `def command(...)` for typer. Its file name is the
subcommand's name, with a trailing underscore where the name is a Python keyword
(`import_.py`). Nothing else lists the subcommands.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import io
import pkgutil
import sys
from typing import Annotated, NoReturn

import typer

from cyclometer.cli._output import complain
from cyclometer.errors import CyclometerError


def application(only: str = "") -> typer.Typer:
    """Build the application from the modules of this package whose names do not begin with an underscore.

    If `only` names a subcommand, the others are not imported; that would take longer than printing a table.
    """
    app = typer.Typer(
        pretty_exceptions_enable=False,
        help="Measure how fast cryptography is on this machine: build, check, tune and time it; print cycles.",
    )
    modules = {
        module.name.rstrip("_").replace("_", "-"): module.name
        for module in sorted(pkgutil.iter_modules(__path__), key=lambda entry: entry.name)
        if not module.name.startswith("_")
    }
    for name in [only] if only in modules else modules:
        app.command(name=name)(importlib.import_module(f"{__name__}.{modules[name]}").command)
    app.callback()(_version)  # keeps the subcommand's name in the usage line when it is the only one
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"cyclometer {importlib.metadata.version('cyclometer')}")
        raise typer.Exit()


def _version(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


# click's UsageError, or that of the copy of click inside newer typers.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]
INTERRUPTED = 130


def main() -> None:
    """Run the command line; print bad input as one line on standard error and exit with status 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as standard error: no character ends a command
    try:
        status = application(*sys.argv[1:2])(sys.argv[1:] or ["--help"], standalone_mode=False)
    except CyclometerError as error:
        _end(str(error), error.exit_status)
    except _UsageError as error:
        message = getattr(error, "format_message", error.__str__)()
        _end(" ".join(message.split()), CyclometerError.exit_status)
    except typer.Abort:
        status = INTERRUPTED
    if status == INTERRUPTED:  # Ctrl-C, however this version of typer reports it
        _end("interrupted; `cyclometer run --resume` completes an interrupted run", INTERRUPTED)
    sys.exit(status)


def _end(message: str, status: int) -> NoReturn:
    complain(message)
    sys.exit(status)
