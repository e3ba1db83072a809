# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads the figures of published documents from the folder `published` of the tree."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import Field

from cyclometer.discover.schema import Declaration
from cyclometer.discover.toml_files import read
from cyclometer.errors import BadDeclaration, NothingToDo, RefusedFile
from cyclometer.records.published import Match, Published, PublishedFigure
from cyclometer.untrusted import read_text, shortened

FOLDER = "published"
FIGURES = ("document", "table", "machine", "system", "measure", "length", "keys", "value", "unit")
MACHINES = ("document", "machine", "cpu", "mode", "MHz")

Count = Annotated[int, Field(ge=0)]


class MatchTable(Declaration):
    """A [[match]] of documents.toml; `Match` says what its keys mean."""

    document: str
    tables: list[str]
    operation: str
    measures: dict[str, str] = Field(default={})
    sizes: dict[str, str] = Field(default={})
    systems: dict[str, str] = Field(default={})
    length: Count | None = None
    bytes: Count | None = None
    timings: dict[str, Count] = Field(default={})
    sites: dict[str, Count] = Field(default={})
    cold: str = ""
    alignment: Count = 0


class Documents(Declaration):
    """published/documents.toml."""

    documents: dict[str, str]
    match: list[MatchTable]


def has_published(tree: Path) -> bool:
    """Return whether the tree has published figures."""
    return (tree / FOLDER).is_dir()


def read_published(tree: Path) -> Published:
    """Return all documents; `NothingToDo` if the tree has none, `BadDeclaration` names what is wrong and where."""
    folder = tree / FOLDER
    if not has_published(tree):
        raise NothingToDo(f"{folder} does not exist: this tree has no published figures")
    declared = read(Documents, folder / "documents.toml")
    machines = list(_rows(folder / "machines.csv", MACHINES))
    return Published(
        titles=declared.documents,
        figures=tuple(_figure(row, where) for where, row in _rows(folder / "figures.csv", FIGURES)),
        matches=tuple(Match(**{**entry.model_dump(), "tables": tuple(entry.tables)}) for entry in declared.match),
        cpus={(row["document"], row["machine"]): row["cpu"] for _, row in machines},
        megahertz={(row["document"], row["machine"]): _number(row, "MHz", where) for where, row in machines},
    )


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each row of a CSV file by column, and where it is."""
    try:
        lines = read_text(path, strict=True).splitlines()
    except RefusedFile as error:
        raise BadDeclaration(str(error)) from None
    reader = csv.reader(lines)
    try:
        if tuple(next(reader, ())) != columns:
            raise BadDeclaration(f"{path}, line 1: the columns must be {','.join(columns)}")
        for values in reader:
            where = f"{path}, line {reader.line_num}"
            if len(values) != len(columns):
                raise BadDeclaration(f"{where} has {len(values)} of {len(columns)} values")
            yield where, dict(zip(columns, values, strict=True))
    except csv.Error as error:
        raise BadDeclaration(f"{path}, line {reader.line_num}: {error}") from None


def _figure(row: dict[str, str], where: str) -> PublishedFigure:
    return PublishedFigure(
        document=row["document"],
        table=row["table"],
        machine=row["machine"],
        system=row["system"],
        measure=row["measure"],
        length=int(_number(row, "length", where)) if row["length"] else None,
        keys=int(_number(row, "keys", where)) if row["keys"] else None,
        value=_number(row, "value", where),
        unit=row["unit"],
    )


def _number(row: dict[str, str], column: str, where: str) -> float:
    try:
        number = float(row[column])
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise BadDeclaration(f"{where}: {column} {shortened(row[column])!r} is not a number")
    return number
