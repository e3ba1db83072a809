# SPDX-License-Identifier: MIT OR Apache-2.0
"""`--format json` of commands that print no tables: one object on standard output, docs/formats.md."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from cyclometer.errors import UnknownName
from cyclometer.report.formats.json import dump

FORMATS = ("terminal", "json")

Format = Annotated[str, typer.Option("--format", help=" or ".join(FORMATS))]


def wants_json(name: str) -> bool:
    """Whether a program will read it."""
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS, "one of " + ", ".join(FORMATS))
    return name == "json"


def print_json(content: Mapping[str, Any]) -> None:
    """What a command has to say, as records."""
    dump(content, sys.stdout)
