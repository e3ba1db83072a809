# SPDX-License-Identifier: MIT OR Apache-2.0
"""Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from cyclometer.records.table import Report, Table
from cyclometer.report.text import as_text, caption, failures_text


def write(report: Report, stream: TextIO) -> None:
    """Every table under a heading, its caption as a list below it."""
    for table in report.tables:
        stream.write(f"### {_plain(table.title)}\n\n")
        _write_table(table, stream, quartiles=report.with_quartiles)
        stream.writelines(f"- {_plain(line)}\n" for line in caption(table))
        stream.write("\n")
    stream.writelines(f"{_plain(line)}\n\n" for line in [*report.notes, *failures_text(report)])


def _write_table(table: Table, stream: TextIO, *, quartiles: bool) -> None:
    text = as_text(table, quartiles=quartiles)
    stream.write(_line(text.header))
    stream.write(_line(["---" if place < text.left else "---:" for place in range(len(text.header))]))
    stream.writelines(_line(row) for row in text.rows)
    stream.write("\n")


def _line(words: Sequence[str]) -> str:
    return "| " + " | ".join(_plain(word.strip()) for word in words) + " |\n"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    for character in "\\|*_`<#~":
        text = text.replace(character, "\\" + character)
    return text
