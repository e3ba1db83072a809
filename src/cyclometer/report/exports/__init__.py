# SPDX-License-Identifier: MIT OR Apache-2.0
"""Exports: measurements in the formats of other tools.

A format is a module here with `SUMMARY`, one line for --help, and

    def write(exported: ExportSource, stream: BinaryIO) -> list[str]

which returns notes on what the format could not hold. Its file name, with `-`
for `_`, is the format's name; nothing else lists the formats. parquet.py is the
shortest example.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any, BinaryIO

from cyclometer.errors import UnknownName
from cyclometer.records.rounds import ExportSource

Exporter = Callable[[ExportSource, BinaryIO], list[str]]


def export_names() -> list[str]:
    """Return the names of all formats, sorted."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__) if module.name[0] != "_")


def exporter(name: str) -> Exporter:
    """Return the function that writes this format. Raises `UnknownName` for an unknown format."""
    if name not in export_names():
        raise UnknownName("export format", name, export_names(), "one of " + ", ".join(export_names()))
    write: Exporter = _module(name).write
    return write


def summaries() -> dict[str, str]:
    """Return what each format is for, by its name."""
    return {name: str(_module(name).SUMMARY) for name in export_names()}


def _module(name: str) -> Any:
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")


__all__ = ["Exporter", "export_names", "exporter", "summaries"]
