# SPDX-License-Identifier: MIT OR Apache-2.0
"""The columns on disk: those of `records`, and those that only the store needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cyclometer.records import grid
from cyclometer.records.columns import INT16, INT32, INT64, NUMBER, Types
from cyclometer.records.placement import PLACEMENT
from cyclometer.records.run import EARLIER, FAILURES, SAMPLES, SIZES, TRIALS

SEQUENCE = "sequence"
"""Index of a sample in its part, which is its order in time within its process."""

STORED: Types = {**SAMPLES, **PLACEMENT, SEQUENCE: INT32}
"""The columns of samples.parquet, which has one row per sample."""

SORTED_BY = ("operation", "primitive", "measure", "keys", "length", "round")
"""The sort order of samples.parquet, which lets a reader of one system skip the rest of the file."""

POINT = (
    *("run", "machine", "operation", "primitive", "implementation", "compiler", "control"),
    *grid.POINT,
)
"""The columns that identify what was measured."""

ADDED = {
    "samples": tuple(PLACEMENT),
    "failures": ("kind", "severity"),
    "trials": ("place", "decided_by", "quick_ratio", "parts"),
}
"""Columns that runs of older versions lack."""

ORDINARY = "call_site = 0"
"""SQL condition of samples that were taken as always; the others are of placement."""

UPGRADES = {
    "failures": (
        "COALESCE(kind, 'unknown') AS kind",
        "COALESCE(severity, CASE stage WHEN 'warning' THEN 'warning' ELSE 'error' END) AS severity",
        "CASE stage WHEN 'warning' THEN 'check' ELSE stage END AS stage",
    ),
    "trials": (
        "COALESCE(CAST(place AS INTEGER), 0) AS place",
        "COALESCE(decided_by, '') AS decided_by",
        "CAST(quick_ratio AS DOUBLE) AS quick_ratio",
        "COALESCE(parts, '') AS parts",
    ),
}
"""SQL that converts rows of older versions, in which a warning was a stage, to the current columns."""

_WHOLE = (INT16, INT32, INT64)


def holds(stored: str, kind: str) -> bool:
    """Return whether a stored type is read as this one; versions differ in the sizes of their numbers."""
    if kind in _WHOLE:
        return stored in _WHOLE
    return stored == kind or (kind == NUMBER and stored in _WHOLE)


SMALL_TABLES: Mapping[str, Types] = {"failures": FAILURES, "trials": TRIALS, "sizes": SIZES, "earlier": EARLIER}
"""The tables of a run that fit in memory, by the name of their file."""

ADDED_TABLES = ("earlier",)
"""Those that runs of older versions lack."""


def files_of_tables(present: Collection[str]) -> dict[str, Types]:
    """Return the tables of a run by file; of those that older versions lack, what is listed or there (`present`)."""
    files = {f"{name}.parquet": (name, types) for name, types in SMALL_TABLES.items()}
    return {file: types for file, (name, types) in files.items() if name not in ADDED_TABLES or file in present}
