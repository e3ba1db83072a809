# SPDX-License-Identifier: MIT OR Apache-2.0
"""The option `--format` of commands that print no tables; docs/formats.md describes the JSON."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from cyclometer.errors import UnknownName
from cyclometer.report.formats.json import dump

FORMATS = ("terminal", "json")

Format = Annotated[str, typer.Option("--format", help="Output format: " + " or ".join(FORMATS) + ".")]


def wants_json(name: str) -> bool:
    """Return whether the output format is JSON. Raises `UnknownName` for an unknown format."""
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS, "one of " + ", ".join(FORMATS))
    return name == "json"


def print_json(content: Mapping[str, Any]) -> None:
    """Print the content as one JSON object on standard output."""
    dump(content, sys.stdout)
