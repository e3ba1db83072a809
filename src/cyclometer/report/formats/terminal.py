# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables for reading in a terminal; plain and wide where the stream is none."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from cyclometer.figures import Report, Table
from cyclometer.report.text import as_text, caption, failures_text

WIDE = 200
"""Columns where nobody says how wide the output is: better long lines than lost digits."""


def write(report: Report, stream: TextIO) -> None:
    """Every table with its caption, then notes and failures."""
    console = Console(file=stream, highlight=False)
    if not console.is_terminal:
        console = Console(file=stream, highlight=False, width=WIDE)
    for table in report.tables:
        console.print(_drawn(table, quartiles=report.with_quartiles))
        for line in caption(table):
            console.print(Text(line, style="dim"), soft_wrap=True)
        console.print()
    for line in [*report.notes, *failures_text(report)]:
        console.print(Text(line), soft_wrap=True)


def _drawn(table: Table, *, quartiles: bool) -> RichTable:
    text = as_text(table, quartiles=quartiles)
    drawn = RichTable(title=Text(table.title), title_justify="left", title_style="bold")
    for place, heading in enumerate(text.header):
        name = place < text.left or not table.columns[place - text.left].unit
        drawn.add_column(Text(heading), justify="left" if name else "right", no_wrap=True)
    for row in text.rows:
        drawn.add_row(*(Text(word) for word in row))
    return drawn
