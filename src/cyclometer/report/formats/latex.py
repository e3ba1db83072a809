# SPDX-License-Identifier: MIT OR Apache-2.0
"""LaTeX tables for a paper; they need \\usepackage{booktabs}."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from cyclometer.records.table import Report, Table
from cyclometer.report.text import as_text, caption, closing_lines, titled
from cyclometer.untrusted import printable

_ESCAPES = {character: "\\" + character for character in "&%$#_{}"}
_ESCAPES |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_ESCAPES |= {"<": "$<$", "≈": r"$\approx$"}


def write(report: Report, stream: TextIO) -> None:
    """Write one table environment per table, and notes and failures as comments."""
    report = titled(report)
    for table in report.tables:
        _write_table(table, stream, report)
    stream.writelines(f"% {line}\n" for line in closing_lines(report))


def _write_table(table: Table, stream: TextIO, report: Report) -> None:
    text = as_text(table, quartiles=report.with_quartiles)
    alignment = "l" * text.left + "r" * (len(text.header) - text.left)
    below = ". ".join(_escaped(line) for line in caption(table, verbose=report.verbose))
    stream.write("\\begin{table}\n\\centering\n")
    stream.write(f"\\caption{{{_escaped(printable(table.title))}. {below}.}}\n")
    stream.write(f"\\begin{{tabular}}{{{alignment}}}\n\\toprule\n{_line(text.header)}\\midrule\n")
    stream.writelines(_line(row) for row in text.rows)
    stream.write("\\bottomrule\n\\end{tabular}\n\\end{table}\n\n")


def _line(cells: Sequence[str]) -> str:
    return " & ".join(_escaped(cell.strip()) for cell in cells) + " \\\\\n"


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)
