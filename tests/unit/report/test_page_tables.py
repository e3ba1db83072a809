# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables of the web report."""

from __future__ import annotations

from cyclometer.records.table import Column, Row, Table, Value
from cyclometer.report.site.page_tables import without_sizes


def test_the_overview_leaves_out_sizes_with_their_headings() -> None:
    """Every number stays under its own heading, wherever the columns of sizes and counts are."""
    columns = {"hash bytes": "bytes", "64": "core cycles", "executed lines": "lines", "576": "core cycles"}
    row = Row(
        operation="crypto_hash", primitive="sha-256", implementation="ref", compiler="gcc-O2", label="sha-256",
        figures=tuple(Value(value=value) for value in (32, 394.0, 42, 1436.0)),
    )  # fmt: skip
    table = Table(
        view="length", operation="crypto_hash", measure="hash", title="Cycles to hash", variable="length",
        columns=tuple(Column(label=label, unit=unit) for label, unit in columns.items()), rows=(row,), contexts=(),
    )  # fmt: skip
    shown = without_sizes(table)
    [left] = shown.rows
    values = [figure.value for figure in left.figures if figure]
    assert dict(zip([column.label for column in shown.columns], values, strict=True)) == {"64": 394.0, "576": 1436.0}
