# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage report: reporters write records to a stream.

A format is a module in report/formats/ with `def write(report: Report, stream: TextIO) -> None`;
its file name is the format's name. A format that holds only the verdicts of a comparison is such a
module in report/verdicts/. Nothing else lists the formats.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from types import ModuleType
from typing import TextIO

from cyclometer.errors import UnknownName
from cyclometer.records.table import Report
from cyclometer.report import formats
from cyclometer.report import verdicts as verdict_formats

Reporter = Callable[[Report, TextIO], None]


def format_names(*, verdicts: bool = False) -> list[str]:
    """Return the names of all formats, sorted; with `verdicts`, also of those for verdicts alone."""
    return sorted(_packages(verdicts=verdicts))


def reporter(name: str, *, verdicts: bool = False) -> Reporter:
    """Return the function that writes a report in this format. Raises `UnknownName` for an unknown format."""
    packages = _packages(verdicts=verdicts)
    if name not in packages:
        raise UnknownName("format", name, packages, "one of " + ", ".join(sorted(packages)))
    write: Reporter = importlib.import_module(f"{packages[name].__name__}.{name}").write
    return write


def _packages(*, verdicts: bool) -> dict[str, ModuleType]:
    """Return the package of each format."""
    return {
        module.name: package
        for package in ([formats, verdict_formats] if verdicts else [formats])
        for module in pkgutil.iter_modules(package.__path__)
        if module.name[0] != "_"
    }


__all__ = ["Reporter", "format_names", "reporter"]
