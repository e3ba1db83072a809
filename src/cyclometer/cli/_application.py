# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommands as one application, and its errors as one line."""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
import sys
from typing import Annotated, Any

import typer

from cyclometer import cli
from cyclometer.cli._notes import notes
from cyclometer.cli._output import complain, say
from cyclometer.errors import CyclometerError


def application(only: str = "") -> typer.Typer:
    """Build the application from the modules of this package whose names do not begin with an underscore.

    If `only` names a subcommand, the others are not imported; that would take longer than printing a table. `--version`
    needs none.
    """
    app = typer.Typer(
        pretty_exceptions_enable=False,
        help="Measure how fast cryptography is on this machine: build, check, tune and time it; print cycles.",
    )
    modules = {
        module.name.rstrip("_").replace("_", "-"): module.name
        for module in sorted(pkgutil.iter_modules(cli.__path__), key=lambda entry: entry.name)
        if not module.name.startswith("_")
    }
    wanted = [only] if only in modules else [*modules]
    if only == "--version":
        wanted = []
    for name in wanted:
        module = importlib.import_module(f"{__package__}.{modules[name]}")
        panel = getattr(module, "PANEL", "Other commands")
        if hasattr(module, "group"):  # several commands under one name
            app.add_typer(module.group, name=name, rich_help_panel=panel)
        else:
            app.command(name=name, rich_help_panel=panel)(module.command)
    app.callback()(_version)  # keeps the subcommand's name in the usage line when it is the only one
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"cyclometer {importlib.metadata.version('cyclometer')}")
        raise typer.Exit()


def _version(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


# click's UsageError, or that of the copy of click inside newer typers.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def run() -> Any:
    """Run the command line and return its exit status. Raises `CyclometerError` for bad input, too."""
    notes.clear()
    try:
        status = application(*sys.argv[1:2])(sys.argv[1:] or ["--help"], standalone_mode=False)
    except CyclometerError as error:
        raise CyclometerError("; ".join([str(error), *notes])) from error
    except _UsageError as error:
        message = getattr(error, "format_message", error.__str__)()
        raise CyclometerError(" ".join(message.split())) from error
    except typer.Abort:
        raise KeyboardInterrupt from None
    for note in notes:
        complain(note)
    return status
