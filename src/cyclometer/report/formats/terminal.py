# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables for a terminal; wide and without colours if the stream is not a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.segment import Segment
from rich.style import Style
from rich.table import Table as RichTable
from rich.text import Text

from cyclometer.records.table import Report, Table
from cyclometer.report.text import as_text, caption, closing_lines, titled, warnings
from cyclometer.untrusted import printable

WIDE = 200
"""The width, in columns, of output that is not a terminal: long lines rather than truncated digits."""


def write(report: Report, stream: TextIO) -> None:
    """Write every table with its caption, then notes and failures."""
    report = titled(report)
    console = Console(file=stream, highlight=False)
    if not console.is_terminal:
        console = Console(file=stream, highlight=False, width=WIDE)
    for table in report.tables:
        for line in warnings(report, table):
            console.print(_text(line, style="bold"), soft_wrap=True)
        for part in Drawn(table, quartiles=report.with_quartiles).folded(console.width):
            console.print(part)
        for line in caption(table, verbose=report.verbose):
            console.print(_text(line, style="dim"), soft_wrap=True)
        console.print()
    for line in closing_lines(report):
        console.print(_text(line), soft_wrap=True)


class Drawn:
    """A table that rich prints.

    If nothing needs wrapping, its lines are built here, because rich's own tables take longer than the analysis.
    """

    def __init__(self, table: Table, *, quartiles: bool) -> None:
        text = as_text(table, quartiles=quartiles)
        self._left = text.left
        units = [""] * text.left + [column.unit for column in table.columns]
        self.title, self.header, self.rows = printable(table.title), text.header, text.rows
        self.names = [index < text.left or not unit for index, unit in enumerate(units)]
        self.names[: text.left - 1] = [False] * (text.left - 1)  # ranks are numbers
        self.widths = [max(map(cell_len, cells)) for cells in zip(self.header, *self.rows, strict=True)]

    def folded(self, most: int) -> Iterator[Drawn]:
        """Yield the table, or if it is wider than `most` columns of text, its figures in parts, each with the names."""
        columns = range(self._left, len(self.header))
        width = begun = self._width(range(self._left))
        parts: list[list[int]] = [[]]
        for column in columns:
            own = self._width([column]) - 1
            if width + own > most and parts[-1]:
                parts.append([])
                width = begun
            parts[-1].append(column)
            width += own
        if len(parts) == 1:
            yield self
            return
        for number, part in enumerate(parts):
            yield self._part([*range(self._left), *part], self.title + (" (continued)" if number else ""))

    def _width(self, columns: Sequence[int]) -> int:
        return sum(self.widths[column] + 3 for column in columns) + 1

    def _part(self, columns: Sequence[int], title: str) -> Drawn:
        part = copy(self)
        part.title, part.header = title, tuple(self.header[column] for column in columns)
        part.rows = tuple(tuple(row[column] for column in columns) for row in self.rows)
        part.names = [self.names[column] for column in columns]
        part.widths = [self.widths[column] for column in columns]
        return part

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment | RichTable]:
        """Yield what rich prints."""
        yield from self._lines() if self._is_plain(options) else [self.by_rich()]

    def _is_plain(self, options: ConsoleOptions) -> bool:
        """Return whether all characters are one column wide and the table fits the width."""
        text = "".join([self.title, *self.header, *("".join(row) for row in self.rows)])
        width = sum(self.widths) + 3 * len(self.widths) + 1
        simple = text.isascii() and text.isprintable() and not options.ascii_only
        return simple and bool(self.rows) and 0 < len(self.title) <= width <= options.max_width

    def _lines(self) -> Iterator[Segment]:
        bars = ["━" * (width + 2) for width in self.widths]
        yield Segment(self.title.ljust(sum(map(len, bars)) + len(bars) + 1) + f"\n┏{'┳'.join(bars)}┓\n")
        bold = Style(bold=True)
        for word in self._padded(self.header):
            yield from (Segment("┃"), Segment(" ", bold), Segment(word, bold), Segment(" ", bold))
        yield Segment(f"┃\n┡{'╇'.join(bars)}┩\n")
        rows = [f"│ {' │ '.join(self._padded(row))} │\n" for row in self.rows]
        yield Segment("".join(rows) + f"└{'┴'.join(bar.replace('━', '─') for bar in bars)}┘\n")

    def _padded(self, row: Sequence[str]) -> list[str]:
        missing = [" " * (width - cell_len(word)) for word, width in zip(row, self.widths, strict=True)]
        aligned = zip(row, self.names, missing, strict=True)
        return [word + blank if name else blank + word for word, name, blank in aligned]

    def by_rich(self) -> RichTable:
        """Return the table for any terminal and any characters.

        Numbers are padded here, because rich strips the trailing blanks that align them.
        """
        drawn = RichTable(title=_text(self.title), title_justify="left", title_style="bold")
        for heading in self._padded(self.header):
            drawn.add_column(_text(heading), no_wrap=True)
        for row in self.rows:
            drawn.add_row(*(_text(word) for word in self._padded(row)))
        return drawn


def _text(text: str, style: str = "") -> Text:
    """Return text without markup; names from foreign trees must not control the terminal."""
    return Text(printable(text), style=style)
