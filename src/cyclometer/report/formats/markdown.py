# SPDX-License-Identifier: MIT OR Apache-2.0
"""Markdown: each table under a heading of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from cyclometer.records.table import Report, Table
from cyclometer.report.text import as_text, caption, closing_lines, titled, warnings
from cyclometer.untrusted import printable


def write(report: Report, stream: TextIO) -> None:
    """Write every table under a heading, with its caption as a list below."""
    report = titled(report)
    for table in report.tables:
        stream.write(f"### {_escaped(printable(table.title))}\n\n")
        stream.writelines(f"**{_escaped(line)}**\n\n" for line in warnings(report, table))
        _write_table(table, stream, quartiles=report.with_quartiles)
        stream.writelines(f"- {_escaped(line)}\n" for line in caption(table, verbose=report.verbose))
        stream.write("\n")
    stream.writelines(f"{_escaped(line)}\n\n" for line in closing_lines(report))


def _write_table(table: Table, stream: TextIO, *, quartiles: bool) -> None:
    text = as_text(table, quartiles=quartiles)
    stream.write(_line(text.header))
    stream.write(_line(["---" if index < text.left else "---:" for index in range(len(text.header))]))
    stream.writelines(_line(row) for row in text.rows)
    stream.write("\n")


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_escaped(cell.strip()) for cell in cells) + " |\n"


def _escaped(text: str) -> str:
    """Escape the characters that Markdown would interpret."""
    for character in "\\|*_`<>#~[]":
        text = text.replace(character, "\\" + character)
    return text
