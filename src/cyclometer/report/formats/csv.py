# SPDX-License-Identifier: MIT OR Apache-2.0
"""CSV: one line per figure, so that tables of any shape fit into one file."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any, TextIO

from cyclometer.records.digits import error_of
from cyclometer.records.table import Column, Context, Report, Row, Table, Value

COLUMNS = [
    "table",
    "operation",
    "primitive",
    "implementation",
    "compiler",
    "measure",
    "rows_are",
    "row",
    "variable",
    "column",
    "value",
    "unit",
    "low",
    "high",
    "quartile1",
    "quartile3",
    "rounds",
    "samples",
    "disturbed",
    "varies",
    "rank",
    "shares_rank",
    "ties_with_best",
    "machine",
    "cpu",
    "counter",
    "converted_from",
    "profile",
    "run",
    "overhead",
    "earlier_runs",
    "aa_spread",
    "calibration_error",
    "error",
    "interpolated_from",
    "unclear",
]
FAILURE_COLUMNS = [
    "machine",
    "stage",
    "operation",
    "primitive",
    "implementation",
    "compiler",
    "reason",
    "detail",
    "kind",
    "severity",
]

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How texts begin that a spreadsheet evaluates."""


def write(report: Report, stream: TextIO) -> None:
    """Write a header and the figures, or a header and the failures if all failures are wanted."""
    lines = list(_failures(report) if report.with_all_failures else _figures(report))
    header = FAILURE_COLUMNS if report.with_all_failures else COLUMNS
    writer = csv.DictWriter(stream, header, lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: inert(value) for key, value in line.items()} for line in lines)


def inert(value: Any) -> Any:
    """Return a value that no spreadsheet takes for a formula: such a text gets an apostrophe in front."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _figures(report: Report) -> Iterator[dict[str, Any]]:
    for table in report.tables:
        for row in table.rows:
            for column, figure in zip(table.columns, row.figures, strict=True):
                if figure is not None:
                    yield _line(table, row, column, figure)


def _line(table: Table, row: Row, column: Column, figure: Value) -> dict[str, Any]:
    """Return a figure with everything needed to read it; fields that do not apply are empty."""
    context = _context(table, column)
    low, high = figure.interval or ("", "")
    first, third = figure.quartiles or ("", "")
    return {
        "table": table.view,
        "operation": row.operation,
        "primitive": row.primitive,
        "implementation": figure.implementation or row.implementation,
        "compiler": figure.compiler or row.compiler,
        "measure": table.measure or (column.label if table.variable == "measure" and column.unit != "bytes" else ""),
        "rows_are": table.rows_are,
        "row": row.label,
        "variable": table.variable,
        "column": column.label,
        "value": figure.value,
        "unit": column.unit,
        "low": low,
        "high": high,
        "quartile1": first,
        "quartile3": third,
        "rounds": figure.rounds or "",
        "samples": figure.samples or "",
        "disturbed": int(figure.disturbed),
        "varies": int(figure.varies),
        "rank": figure.rank or "",
        "shares_rank": int(figure.shares_rank),
        "ties_with_best": int(figure.ties_with_best),
        "machine": context.machine,
        "cpu": context.cpu,
        "counter": context.counter,
        "converted_from": context.converted_from,
        "profile": context.profile,
        "run": " ".join(context.runs),
        "overhead": "" if context.overhead is None else context.overhead,
        "calibration_error": context.calibration.error if context.calibration else "",
        "earlier_runs": context.earlier_runs,
        "aa_spread": "" if context.spread is None else context.spread,
        "error": "" if (error := error_of(figure)) is None else error,
        "interpolated_from": " ".join(map(str, figure.between)),
        "unclear": int(figure.unclear),
    }


def _context(table: Table, column: Column) -> Context:
    """Return the context of the machine that a column is about, else that of the table."""
    return next((context for context in table.contexts if context.machine == column.label), table.contexts[0])


def _failures(report: Report) -> Iterator[dict[str, Any]]:
    for entry in report.failures:
        failure, subject = entry.failure, entry.failure.subject
        yield {
            "machine": entry.machine,
            "stage": failure.stage,
            "operation": subject.operation,
            "primitive": subject.primitive,
            "implementation": subject.implementation,
            "compiler": subject.compiler,
            "reason": failure.reason,
            "detail": failure.detail,
            "kind": failure.kind,
            "severity": failure.severity,
        }
