# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage report: reporters take records and a stream, nothing else.

A format is a module in report/formats/ with `def write(report: Report, stream: TextIO) -> None`;
its file name is the format's name. Nothing else lists them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import TextIO

from cyclometer.errors import UnknownName
from cyclometer.figures import Report
from cyclometer.report import formats as _formats

Reporter = Callable[[Report, TextIO], None]


def formats() -> list[str]:
    """The names of all formats, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(_formats.__path__) if module.name[0] != "_")


def reporter(name: str) -> Reporter:
    """The function that writes a report in the format of that name."""
    if name not in formats():
        raise UnknownName("format", name, formats(), "one of " + ", ".join(formats()))
    write: Reporter = importlib.import_module(f"{_formats.__name__}.{name}").write
    return write


__all__ = ["Reporter", "formats", "reporter"]
