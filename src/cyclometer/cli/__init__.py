# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command line: one file per subcommand in this package, each thin over the stages.

A subcommand is a module with `def command(...)` for typer; its file name is
the subcommand's name. Nothing else lists them.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

import typer

from cyclometer.errors import CyclometerError


def application() -> typer.Typer:
    """Every module of this package whose name has no underscore in front is a subcommand."""
    app = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        help="How fast is cryptography here? Builds, checks, tunes and measures; prints cycles.",
    )
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda entry: entry.name):
        if not module.name.startswith("_"):
            command = importlib.import_module(f"{__name__}.{module.name}").command
            app.command(name=module.name.replace("_", "-"))(command)
    return app


def main() -> None:
    """Entry point: bad input is one line on standard error and exit status 2."""
    try:
        application()()
    except CyclometerError as error:
        print(f"cyclometer: {error}", file=sys.stderr)
        sys.exit(error.exit_status)
