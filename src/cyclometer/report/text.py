# SPDX-License-Identifier: MIT OR Apache-2.0
"""The words all readable formats share: how numbers, captions and failures are put."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cyclometer.records.failure import Failure, Severity
from cyclometer.records.run import SERIES_TIMINGS
from cyclometer.records.table import RATIO, Column, Context, MachineFailure, Report, Row, Table, Value

DISTURBED = "~"
TIED = "="
SLOW = "'"
MISSING = "-"

FEW_FAILURES = 3
"""How many are named at the end of a report that was not asked for all."""


@dataclass(frozen=True, kw_only=True)
class Text:
    """A table as words: `header` and each of `rows` are equally long. Blanks at a word's end belong to it."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int  # how many columns hold names rather than numbers


def as_text(table: Table, *, quartiles: bool) -> Text:
    """A rank where the table is ranked, the system, then one column a figure."""
    ranked = [column.label for column in table.columns].index(table.ranked_by) if table.ranked_by else None
    columns = [[table.rows_are, *(row.label for row in table.rows)]]
    if ranked is not None:
        columns.insert(0, _even(["#", *(_rank(row, ranked) for row in table.rows)]))
    left = len(columns)
    for place, (heading, column) in enumerate(zip(_headings(table.columns), table.columns, strict=True)):
        words = [figure_text(row.figures[place], column, quartiles=quartiles) for row in table.rows]
        columns.append(_even([heading, *words]))
    header, *rows = zip(*columns, strict=True)
    return Text(header=header, rows=tuple(rows), left=left)


def figure_text(figure: Value | None, column: Column, *, quartiles: bool = False) -> str:
    """One cell: the number with its marks, and the quartiles in parentheses where asked for."""
    if figure is None:
        return MISSING
    if isinstance(figure.value, str):
        return figure.value
    marked = (DISTURBED if figure.disturbed else "") + (SLOW if is_slow(figure) else "")
    marked += number_text(figure.value, column.unit)
    if quartiles and figure.quartiles:
        low, high = (number_text(value, column.unit) for value in figure.quartiles)
        marked += f" ({low}..{high})"
    return marked + (TIED if figure.ties_with_best else "")


def is_slow(figure: Value) -> bool:
    """Whether the figure rests on fewer timings than its samples usually have."""
    return 0 < figure.timings < SERIES_TIMINGS * figure.samples


def number_text(value: float, unit: str) -> str:
    """As many digits as mean something: thousandths of a ratio, hundredths of cycles a byte, else
    tenths below a hundred and none above. Nothing is 0."""
    if isinstance(value, int) or not value:
        return str(int(value))
    if unit == RATIO:
        return f"{value:.3f}"
    if unit.endswith("/byte"):
        return f"{value:.2f}"
    return f"{value:.1f}" if abs(value) < 99.95 else f"{value:.0f}"


def caption(table: Table) -> list[str]:
    """What must be known to read the table, one line a machine and one a mark that occurs in it."""
    return [context_text(context, numbers=_has_numbers(table)) for context in table.contexts] + _marks(table)


def context_text(context: Context, *, numbers: bool = True) -> str:
    """Machine, CPU, counter and unit, profile, run, overhead and A/A spread in one line."""
    runs = context.runs[0] if len(context.runs) == 1 else f"{len(context.runs)} runs to {context.runs[-1]}"
    parts = [f"{context.machine}: {context.cpu}"]
    if numbers:
        converted = f"{context.converted_from} converted to " if context.converted_from else ""
        parts.append(f"{context.counter}, {converted}{context.unit}")
    parts.append(f"{context.profile} profile, {runs}")
    if numbers:
        parts += [_overhead(context), _spread(context)]
    return "; ".join(parts)


def failures_text(report: Report) -> list[str]:
    """All failures, one a line, where asked for; else one line that names the first few."""
    if not report.failures:
        return ["no failures"] if report.with_all_failures else []
    if report.with_all_failures:
        return [_failure_in_full(entry) for entry in report.failures]
    told = [entry for entry in report.failures if entry.failure.severity is not Severity.WARNING]
    reasons = list(dict.fromkeys(_failure_in_short(entry) for entry in told))
    if not reasons:
        return []
    what = "1 implementation" if len(reasons) == 1 else f"{len(reasons)} implementations"
    more = "; ..." if len(reasons) > FEW_FAILURES else ""
    return [f"{what} could not run here: {'; '.join(reasons[:FEW_FAILURES])}{more}; see --failures"]


def _even(words: Sequence[str]) -> list[str]:
    """Room for the mark after every number of a column that has one, and its heading: where a column is flush
    right, digits then stand below digits."""
    if not any(word.endswith(TIED) for word in words):
        return list(words)
    return [word if word.endswith(TIED) else f"{word} " for word in words]


def _rank(row: Row, column: int) -> str:
    figure = row.figures[column]
    if figure is None or not figure.rank:
        return ""
    return f"{figure.rank}{TIED if figure.shares_rank else ''}"


def _headings(columns: Sequence[Column]) -> list[str]:
    """Labels; with units where the title cannot name one for all."""
    mixed = len({column.unit for column in columns} - {"", "bytes", RATIO}) > 1
    return [f"{column.label} ({column.unit})" if _tells_unit(column, mixed) else column.label for column in columns]


def _tells_unit(column: Column, mixed: bool) -> bool:
    if column.unit == "bytes":
        return "bytes" not in column.label
    return mixed and column.unit not in {"", RATIO}


def _overhead(context: Context) -> str:
    if context.overhead is None:
        return "no empty call measured, overhead not subtracted"
    unit = context.converted_from or context.unit
    return f"overhead of {context.overhead:.1f} {unit} subtracted"


def _spread(context: Context) -> str:
    if context.spread is None:
        return "no A/A control, ties are told by intervals alone"
    return f"A/A spread {100 * context.spread:.2f} %"


def _has_numbers(table: Table) -> bool:
    return any(column.unit not in {"", "bytes", "calls"} for column in table.columns)


def _marks(table: Table) -> list[str]:
    figures = [figure for row in table.rows for figure in row.figures if figure is not None]
    marks = []
    if table.ranked_by:
        marks.append(f"#  rank in column {table.ranked_by}; {TIED} shares it with others")
    if any(figure.ties_with_best for figure in figures):
        marks.append(f"{TIED}  no difference seen from the fastest of the column")
    if any(figure.disturbed for figure in figures):
        marks.append(f"{DISTURBED}  disturbed: fewer than half of the rounds had a quiet moment")
    slow = [figure for figure in figures if is_slow(figure)]
    if slow:
        least = min(slow, key=lambda figure: figure.timings)
        usual = SERIES_TIMINGS * least.samples
        marks.append(f"{SLOW}  slow calls: fewer timings than usual, at the least {least.timings} instead of {usual}")
    return marks


def _failure_in_short(entry: MachineFailure) -> str:
    subject = entry.failure.subject
    name = " ".join(part for part in (subject.primitive, subject.implementation) if part) or subject.compiler
    return f"{name}: {entry.failure.reason}"


def stage_of(failure: Failure) -> str:
    """The stage at which it happened, and whether it is only a warning."""
    return f"{failure.stage} (warning)" if failure.severity is Severity.WARNING else failure.stage


def _failure_in_full(entry: MachineFailure) -> str:
    failure = entry.failure
    lines = failure.detail.split("\n")
    # From a compiler's first error on; or a program's last words.
    told = lines[:3] if failure.stage == "build" else lines[-3:]
    detail = f" | {' / '.join(told)}" if failure.detail else ""
    return f"{entry.machine} {stage_of(failure)}: {failure.subject}: {failure.reason}{detail}"
