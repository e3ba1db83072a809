# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage report: reporters write records to a stream.

A format is a module in report/formats/ with `def write(report: Report, stream: TextIO) -> None`;
its file name is the format's name. Nothing else lists the formats.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import TextIO

from cyclometer.errors import UnknownName
from cyclometer.records.table import Report
from cyclometer.report import formats

Reporter = Callable[[Report, TextIO], None]


def format_names() -> list[str]:
    """Return the names of all formats, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(formats.__path__) if module.name[0] != "_")


def reporter(name: str) -> Reporter:
    """Return the function that writes a report in this format. Raises `UnknownName` for an unknown format."""
    if name not in format_names():
        raise UnknownName("format", name, format_names(), "one of " + ", ".join(format_names()))
    write: Reporter = importlib.import_module(f"{formats.__name__}.{name}").write
    return write


__all__ = ["Reporter", "format_names", "reporter"]
