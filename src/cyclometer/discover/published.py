# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads the figures of published documents from the folder `published` of the tree."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path
from typing import Any

from cyclometer.errors import NothingToDo, on_disk
from cyclometer.records.published import Match, Published, PublishedFigure

FOLDER = "published"


def has_published(tree: Path) -> bool:
    """Return whether the tree has published figures."""
    return (tree / FOLDER).is_dir()


def read_published(tree: Path) -> Published:
    """Return all documents; NothingToDo if the tree has none."""
    folder = tree / FOLDER
    if not has_published(tree):
        raise NothingToDo(f"{folder} does not exist: this tree has no published figures")
    with on_disk("read", folder):
        declared = tomllib.loads((folder / "documents.toml").read_text(encoding="utf-8"))
        figures, machines = _rows(folder / "figures.csv"), _rows(folder / "machines.csv")
    keys = [((row["document"], row["machine"]), row) for row in machines]
    return Published(
        titles=declared["documents"],
        figures=tuple(_figure(row) for row in figures),
        matches=tuple(_match(entry) for entry in declared["match"]),
        cpus={key: row["cpu"] for key, row in keys},
        megahertz={key: float(row["MHz"]) for key, row in keys},
    )


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _figure(row: dict[str, str]) -> PublishedFigure:
    return PublishedFigure(
        document=row["document"],
        table=row["table"],
        machine=row["machine"],
        system=row["system"],
        measure=row["measure"],
        length=int(row["length"]) if row["length"] else None,
        keys=int(row["keys"]) if row["keys"] else None,
        value=float(row["value"]),
        unit=row["unit"],
    )


def _match(entry: dict[str, Any]) -> Match:
    return Match(
        document=entry["document"],
        tables=tuple(entry["tables"]),
        operation=entry["operation"],
        measures=entry.get("measures", {}),
        sizes=entry.get("sizes", {}),
        systems=entry.get("systems", {}),
        length=entry.get("length"),
        bytes=entry.get("bytes"),
        timings=entry.get("timings", {}),
        sites=entry.get("sites", {}),
        cold=entry.get("cold", ""),
        alignment=entry.get("alignment", 0),
    )
