# SPDX-License-Identifier: MIT OR Apache-2.0
"""Imports: measurements of other programs, stored as runs.

    for folder in import_files([Path("samba.data.xz")], results_folder(), foreign_operations(paths.root())).stored:
        print(folder)

A format is a module of this package with

    def recognises(line: str) -> bool
    def read(lines: Iterable[str], session: ImportSession) -> None

which passes what it reads to `session` and continues after a malformed line. Nothing else lists the formats.
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
from cyclometer.store.digests import digest_of
from cyclometer.store.importers._lines import lines
from cyclometer.store.importers._session import ImportResult, ImportSession

LINES_SAMPLED = 200
"""Lines at the beginning of a file by which its format is recognised."""


class Importer(Protocol):
    """The functions of a format's module."""

    def recognises(self, line: str) -> bool: ...
    def read(self, lines: Iterable[str], session: ImportSession) -> None: ...


def importer_names() -> list[str]:
    """Return the names of all formats, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name[0] != "_")


def import_files(
    files: Sequence[Path], results: Path, foreign: Mapping[str, ForeignOperation], machine: str = ""
) -> ImportResult:
    """Read all files and store either all their runs, one per machine and date, or none.

    `foreign` has other projects' names, by operation; `machine` replaces the machine's name in the data.
    `NothingToDo` if nothing can be imported; `StorageFailed` if a file was imported before.
    """
    with ImportSession(results, machine, {file.name: digest_of(file) for file in files}, foreign) as session:
        for file in files:
            session.begin_file(file)
            stream = lines(file)
            first = list(itertools.islice(stream, LINES_SAMPLED))
            _importer(file, first).read(itertools.chain(first, stream), session)
        return session.store()


def _importer(file: Path, first: Sequence[str]) -> Importer:
    for name in importer_names():
        module: Importer = importlib.import_module(f"{__name__}.{name}")
        if any(module.recognises(line) for line in first):
            return module
    raise NothingToDo(f"{file}: unknown format; known are {', '.join(importer_names())}")


__all__ = ["ImportResult", "ImportSession", "import_files", "importer_names"]
