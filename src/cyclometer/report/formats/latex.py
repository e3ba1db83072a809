# SPDX-License-Identifier: MIT OR Apache-2.0
"""LaTeX tables for a paper; they need \\usepackage{booktabs}."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from cyclometer.records.table import Report, Table
from cyclometer.report.text import as_text, caption, failures_text

_ESCAPES = {character: "\\" + character for character in "&%$#_{}"}
_ESCAPES |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def write(report: Report, stream: TextIO) -> None:
    """One table environment a table; notes and failures as comments."""
    for table in report.tables:
        _write_table(table, stream, quartiles=report.with_quartiles)
    stream.writelines(f"% {line}\n" for line in [*report.notes, *failures_text(report)])


def _write_table(table: Table, stream: TextIO, *, quartiles: bool) -> None:
    text = as_text(table, quartiles=quartiles)
    shape = "l" * text.left + "r" * (len(text.header) - text.left)
    below = ". ".join(_plain(line) for line in caption(table))
    stream.write("\\begin{table}\n\\centering\n")
    stream.write(f"\\caption{{{_plain(table.title)}. {below}.}}\n")
    stream.write(f"\\begin{{tabular}}{{{shape}}}\n\\toprule\n{_line(text.header)}\\midrule\n")
    stream.writelines(_line(row) for row in text.rows)
    stream.write("\\bottomrule\n\\end{tabular}\n\\end{table}\n\n")


def _line(words: Sequence[str]) -> str:
    return " & ".join(_plain(word.strip()) for word in words) + " \\\\\n"


def _plain(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)
