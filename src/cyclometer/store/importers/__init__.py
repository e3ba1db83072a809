# SPDX-License-Identifier: MIT OR Apache-2.0
"""Imports: what others measured, as runs of ours.

    for file in import_files([Path("samba.data.xz")], results_folder(), foreign_operations(tree.root())):
        print(file.stored)

A foreign format is a module here with

    def recognises(line: str) -> bool
    def read(lines: Iterable[str], catch: Catch) -> None

which hands what it reads to `catch` and never stops for a line it cannot read.
Nothing else lists the formats.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from cyclometer.errors import NothingToDo
from cyclometer.records.catalogue import ForeignOperation
from cyclometer.store.importers._lines import digest, lines
from cyclometer.store.importers._session import ImportResult, ImportSession

LOOKED_AT = 200
"""Lines at the beginning of a file that decide what it is."""


class Importer(Protocol):
    """What a format's module has."""

    def recognises(self, line: str) -> bool: ...
    def read(self, lines: Iterable[str], catch: ImportSession) -> None: ...


def importer_names() -> list[str]:
    """The names of all foreign formats, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name[0] != "_")


def import_files(
    files: Sequence[Path], results: Path, foreign: Mapping[str, ForeignOperation], machine: str = ""
) -> ImportResult:
    """Reads all files and stores their runs: one a machine and date. `foreign` has other projects' names, by
    operation; `machine` replaces the name in the data.

    Either all runs are stored or none.
    """
    with ImportSession(results, machine, {file.name: digest(file) for file in files}, foreign) as catch:
        for file in files:
            catch.begin(file)
            stream = lines(file)
            first = list(itertools.islice(stream, LOOKED_AT))
            _importer(file, first).read(itertools.chain(first, stream), catch)
        return catch.store()


def _importer(file: Path, first: Sequence[str]) -> Importer:
    for name in importer_names():
        module: Importer = importlib.import_module(f"{__name__}.{name}")
        if any(module.recognises(line) for line in first):
            return module
    raise NothingToDo(f"{file} is in no format known here ({', '.join(importer_names())})")


__all__ = ["ImportResult", "ImportSession", "import_files", "importer_names"]
