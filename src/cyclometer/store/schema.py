# SPDX-License-Identifier: MIT OR Apache-2.0
"""The columns on disk: those of the model, and what only the store knows."""

from __future__ import annotations

import pyarrow as pa

from cyclometer.records.run import FAILURES, SAMPLES, SIZES, TRIALS

SEQUENCE = pa.field("sequence", pa.int32())
"""Place of a sample in its part, which is its place in time within its process."""

STORED = SAMPLES if "sequence" in SAMPLES.names else SAMPLES.append(SEQUENCE)
"""samples.parquet: one row a sample."""

SORTED_BY = ("operation", "primitive", "measure", "keys", "length", "round")
"""The order of samples.parquet, so that a reader of one system skips the rest of the file."""

POINT = (
    *("run", "machine", "operation", "primitive", "implementation", "compiler", "control"),
    *("measure", "length", "ad_length", "keys", "alignment"),
)
"""The columns that say what a sample is of."""

ADDED = {"failures": ("kind", "severity")}
"""Columns that runs of older versions lack."""

UPGRADES = {
    "failures": (
        "COALESCE(kind, 'unknown') AS kind",
        "COALESCE(severity, CASE stage WHEN 'warning' THEN 'warning' ELSE 'error' END) AS severity",
        "CASE stage WHEN 'warning' THEN 'check' ELSE stage END AS stage",
    )
}
"""SQL that reads rows of older versions, in which a warning was a stage, as those of today."""

SMALL_TABLES = {"failures": FAILURES, "trials": TRIALS, "sizes": SIZES}
"""The tables of a run that fit in memory, by the name of their file."""
