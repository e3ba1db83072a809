# SPDX-License-Identifier: MIT OR Apache-2.0
"""The text that all readable formats share: numbers, captions and failures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cyclometer.records.digits import error_of, number_text
from cyclometer.records.failure import UNAVAILABLE, Failure, FailureKind, Severity
from cyclometer.records.placement import PLACEMENT_VIEW
from cyclometer.records.run import SERIES_TIMINGS
from cyclometer.records.table import (
    NOT_TIMES,
    Calibration,
    Column,
    Context,
    MachineFailure,
    Report,
    Row,
    Table,
    Value,
)
from cyclometer.untrusted import printable

DISTURBED = "~"
VARIES = "?"
MEANINGS = {DISTURBED: "disturbed, an upper bound", VARIES: "varies, or its tuning is unclear"}
"""What the marks of trust mean, in short; captions of tables say more."""

TIED = "="
SLOW = "'"
INTERPOLATED = "≈"
BELOW_ERROR = "<"
MISSING = "-"

COARSE_STEP = 10
"""The short caption names the step of a counter that advances by at least so many units: 26 TSC ticks, 41.67 ns."""

FEW_FAILURES = 3
"""The number of failures named at the end of a report without --failures."""

FEW_REASONS = 5
"""The number of reasons named why something could not be placed or made cold."""

NOT_EVICTED = FailureKind.NOT_EVICTED


@dataclass(frozen=True, kw_only=True)
class Text:
    """A table as text; `header` and each of `rows` are equally long. Trailing blanks align the numbers."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int  # how many columns hold names rather than numbers


def titled(report: Report) -> Report:
    """Return the report; each title names its operation if there are several, because operations share titles."""
    if len({table.operation for table in report.tables} - {""}) < 2:
        return report
    titles = [f"{table.operation}: {table.title}" if table.operation else table.title for table in report.tables]
    tables = zip(report.tables, titles, strict=True)
    return replace(report, tables=tuple(replace(table, title=title) for table, title in tables))


def as_text(table: Table, *, quartiles: bool) -> Text:
    """Return the table as text: the rank if it is ranked, the system, then the figures."""
    ranked = [column.label for column in table.columns].index(table.ranked_by) if table.ranked_by else None
    columns = [[table.rows_are, *(printable(row.label) for row in table.rows)]]
    if ranked is not None:
        columns.insert(0, _even(["#", *(_rank(row, ranked) for row in table.rows)]))
    left = len(columns)
    for index, (heading, column) in enumerate(zip(_headings(table.columns), table.columns, strict=True)):
        cells = [figure_text(row.figures[index], column, quartiles=quartiles) for row in table.rows]
        columns.append(_even([heading, *cells]))
    header, *rows = zip(*columns, strict=True)
    return Text(header=header, rows=tuple(rows), left=left)


def figure_text(figure: Value | None, column: Column, *, quartiles: bool = False) -> str:
    """Return one cell: the number with its marks and, if wanted, the quartiles in parentheses."""
    if figure is None:
        return MISSING
    if isinstance(figure.value, str):
        return printable(figure.value)
    marked = marks(disturbed=figure.disturbed, varies=figure.varies)
    marked += SLOW if is_slow(figure) else ""
    marked += INTERPOLATED if figure.between else ""
    marked += difference_text(figure, column.unit) or number_text(figure.value, column.unit, error_of(figure))
    if quartiles and figure.quartiles:
        low, high = (number_text(value, column.unit) for value in figure.quartiles)
        marked += f" ({low}..{high})"
    return marked + (TIED if figure.ties_with_best else "")


def marks(*, disturbed: bool, varies: bool) -> str:
    """Return how far to trust a number, as signs before it."""
    return DISTURBED * disturbed + VARIES * varies


def is_slow(figure: Value) -> bool:
    """Return whether the figure rests on fewer timings than its samples usually have."""
    return 0 < figure.timings < SERIES_TIMINGS * figure.rounds


def difference_text(figure: Value, unit: str) -> str:
    """Return the error of a difference that is within it as a bound; "" for every other figure."""
    error = error_of(figure)
    if not figure.is_difference or error is None or abs(float(figure.value)) > error:
        return ""
    return f"{BELOW_ERROR}{number_text(error, unit, error)}"


def caption(table: Table, *, verbose: bool = False) -> list[str]:
    """Return the lines below a table: one per machine, and one per mark that occurs in it.

    `verbose` adds how the numbers came about: counter, profile and overhead.
    """
    numbers = _has_numbers(table)
    taken = sorted(figure.timings for row in table.rows for figure in row.figures if figure and figure.timings)
    timings = taken[len(taken) // 2] if taken else 0
    text = context_text if verbose else _short_context
    lines = [text(context, numbers=numbers, timings=timings) for context in table.contexts]
    return [printable(line) for line in lines] + _marks(table)


def closing_lines(report: Report) -> list[str]:
    """Return what follows the tables: notes, then failures, one line each."""
    return [printable(line) for line in (*report.notes, *failures_text(report))]


def warnings(report: Report, table: Table) -> list[str]:
    """Return the lines above a table: a failed calibration (above the first), and that most of it is disturbed."""
    lines = []
    if table is report.tables[0]:
        known = {c.machine: c.calibration for each in report.tables for c in each.contexts if c.calibration}
        lines += [_failed_calibration(machine, each) for machine, each in known.items() if each.fails]
    figures = [figure for row in table.rows for figure in row.figures if figure and figure.timings]
    disturbed = sum(figure.disturbed for figure in figures)
    if 2 * disturbed > len(figures):
        lines.append(
            f"{disturbed} of these {len(figures)} numbers are upper bounds ({DISTURBED}): other programs or guests "
            "disturbed the core; stop them or wait, then run again (`cyclometer machine` shows the noise)"
        )
    return [printable(line) for line in lines]


def _failed_calibration(machine: str, calibration: Calibration) -> str:
    """Return what to do about a failed calibration."""
    return (
        f"CALIBRATION FAILED on {machine}: {calibration.true} core cycles were measured as "
        f"{calibration.true + calibration.error:.1f}; do not trust these numbers: stop other programs, run again, "
        "and if it still fails see `cyclometer machine --calibrate`"
    )


def context_text(context: Context, *, numbers: bool = True, timings: int = 0) -> str:
    """Return machine, CPU, counter and unit, profile, run, and what is known of the errors, in one line.

    `timings` is the number behind a typical figure; 0: unknown.
    """
    parts = [f"{context.machine}: {context.cpu}"]
    if numbers:
        converted = f"{context.converted_from} converted to " if context.converted_from else ""
        parts.append(f"{context.counter}, {converted}{context.unit}")
    parts.append(f"{context.profile} profile, {_runs(context)}")
    if numbers:
        parts += [_overhead(context), _spread(context), *_calibration(context)]
        known = context.earlier_runs
        parts += [f"intervals reach as far as {known} earlier runs lie apart"] if known else []
        parts += [_dither(context, timings)] if context.dithered_step else []
    return "; ".join(parts)


def failure_count(failures: Sequence[MachineFailure]) -> str:
    """Return how many tunings failed and how many this machine cannot use: `2 failures, 1 unusable tuning`, or ''."""
    unusable = sum(entry.failure.kind in UNAVAILABLE for entry in failures)
    counts = {"failure": len(failures) - unusable, "unusable tuning": unusable}
    return ", ".join(f"{number} {what}{'s' * (number > 1)}" for what, number in counts.items() if number)


def failures_text(report: Report) -> list[str]:
    """Return all failures, one per line, if wanted; else one line that names the first few."""
    if not report.failures:
        return ["no failures"] if report.with_all_failures else []
    if report.with_all_failures:
        return [_failure_in_full(entry) for entry in report.failures]
    return [*_unusable(report), *_without_number(report)]


def _unusable(report: Report) -> list[str]:
    errors = [entry for entry in report.failures if entry.failure.severity is not Severity.WARNING]
    reasons = list(dict.fromkeys(_failure_in_short(entry) for entry in errors))
    if not reasons:
        return []
    what = "1 implementation" if len(reasons) == 1 else f"{len(reasons)} implementations"
    more = "; ..." if len(reasons) > FEW_FAILURES else ""
    return [f"{what} could not be used here: {'; '.join(reasons[:FEW_FAILURES])}{more}; --failures lists all"]


def _without_number(report: Report) -> list[str]:
    """Say below tables of placement why columns are missing from them: nothing else needs what could not be cold."""
    if not any(table.view == PLACEMENT_VIEW for table in report.tables):
        return []
    reasons = list(dict.fromkeys(e.failure.reason for e in report.failures if e.failure.kind is NOT_EVICTED))
    more = "; ..." if len(reasons) > FEW_REASONS else ""
    return [f"left out: {'; '.join(reasons[:FEW_REASONS])}{more}; --failures lists all"] if reasons else []


def _even(cells: Sequence[str]) -> list[str]:
    """Append a blank to each cell without a tie mark if any has one, so that digits align flush right."""
    if not any(cell.endswith(TIED) for cell in cells):
        return list(cells)
    return [cell if cell.endswith(TIED) else f"{cell} " for cell in cells]


def _rank(row: Row, column: int) -> str:
    figure = row.figures[column]
    if figure is None or not figure.rank:
        return ""
    return f"{figure.rank}{TIED if figure.shares_rank else ''}"


def _headings(columns: Sequence[Column]) -> list[str]:
    """Return the labels, with units where the title cannot name one for all columns."""
    timed = {column.unit for column in columns} - (NOT_TIMES - {"calls"})
    mixed = len({unit.partition("/")[0] for unit in timed}) > 1  # a label says `per byte` itself
    labels = [printable(column.label) for column in columns]
    return [
        f"{label} ({column.unit})" if _needs_unit(column, mixed) else label
        for label, column in zip(labels, columns, strict=True)
    ]


def _needs_unit(column: Column, mixed: bool) -> bool:
    if column.unit == "bytes":
        return "bytes" not in column.label
    return mixed and column.unit not in NOT_TIMES - {"calls"}


def _short_context(context: Context, *, numbers: bool, timings: int) -> str:
    """Return what a reader needs to use the numbers: machine, CPU, unit, run, A/A spread, and a coarse timer's step."""
    parts = [f"{context.machine}: {context.cpu}"]
    if numbers:
        converted = f" converted from {context.converted_from}" if context.converted_from else ""
        parts.append(f"{context.unit}{converted}")
    parts.append(_runs(context))
    if numbers:
        parts += [_overhead(context)] if context.overhead is None else []
        parts += [_spread(context), *_calibration(context)]
        parts += [_dither(context, timings)] if (context.dithered_step or 0) >= COARSE_STEP else []
    return "; ".join(parts)


def _runs(context: Context) -> str:
    return context.runs[0] if len(context.runs) == 1 else f"{len(context.runs)} runs to {context.runs[-1]}"


def _overhead(context: Context) -> str:
    if context.overhead is None:
        return "overhead not measured, not subtracted"
    unit = context.converted_from or context.unit
    return f"overhead of {context.overhead:.1f} {unit} subtracted"


def _spread(context: Context) -> str:
    if context.spread is None:
        return "no A/A control, ties from intervals alone"
    return f"A/A spread {100 * context.spread:.2f} %"


def _calibration(context: Context) -> list[str]:
    """Return how far code of known cost was off, if it was measured."""
    calibration = context.calibration
    if not calibration:
        return []
    verdict = "CALIBRATION FAILED: " if calibration.fails else "calibration "
    disturbed = ", disturbed" if calibration.disturbed else ""
    return [f"{verdict}error of {calibration.error:+.1f} core cycles at {calibration.true}{disturbed}"]


def _dither(context: Context, timings: int) -> str:
    """Return the step of a coarse counter, and the standard error that dithering leaves of it."""
    step, unit = context.dithered_step or 0, context.converted_from or context.unit
    reads, twice = (2, "read twice and ") if context.is_read_twice else (1, "")
    left = f" to ±{step / reads / 2 / timings**0.5:.2g}" if timings else ""
    return f"timer step {step:.3g} {unit}, {twice}dithered{left}"


def _has_numbers(table: Table) -> bool:
    return any(column.unit not in {"", "bytes", "calls"} for column in table.columns)


def _marks(table: Table) -> list[str]:
    figures = [figure for row in table.rows for figure in row.figures if figure is not None]
    marks = []
    if table.ranked_by:
        shared = f"; {TIED} shared" if any(figure.shares_rank for figure in figures) else ""
        marks.append(f"#  rank in column {table.ranked_by}{shared}")
    if any(figure.ties_with_best for figure in figures):
        marks.append(f"{TIED}  {table.tie}")
    if any(figure.disturbed for figure in figures):
        marks.append(f"{DISTURBED}  disturbed: none of its samples is undisturbed; an upper bound")
    if any(figure.varies and not figure.unclear for figure in figures):
        marks.append(
            f"{VARIES}  varies: the 95 % interval reaches more than 3 %, and more than three cycles, from the number,"
            " or fewer than 3 undisturbed rounds measured it"
        )
    unclear = sum(any(figure and figure.unclear for figure in row.figures) for row in table.rows)
    if unclear:
        marks.append(
            f"{VARIES}  unclear: disturbed timings chose the tunings of {unclear} of {len(table.rows)}, so others may"
            " be faster; a run in a quieter moment chooses again"
        )
    if between := sorted({figure.between for figure in figures if figure.between}):
        lengths = ", ".join(" and ".join(map(str, pair)) for pair in between)
        marks.append(
            f"{INTERPOLATED}  not measured, but on a straight line between the measured lengths {lengths}; "
            "`cyclometer run --length` measures more"
        )
    if any(difference_text(figure, "") for figure in figures if not isinstance(figure.value, str)):
        marks.append(f"{BELOW_ERROR}  nothing measurable: the difference is within its error, which is shown instead")
    slow = [figure for figure in figures if is_slow(figure)]
    if slow:
        least = min(slow, key=lambda figure: figure.timings)
        usual = SERIES_TIMINGS * least.rounds
        marks.append(f"{SLOW}  slow calls: fewer timings than usual (at least {least.timings} instead of {usual})")
    return marks


def _failure_in_short(entry: MachineFailure) -> str:
    subject = entry.failure.subject
    name = " ".join(part for part in (subject.primitive, subject.implementation) if part) or subject.compiler
    return f"{name}: {entry.failure.reason}"


def stage_of(failure: Failure) -> str:
    """Return the stage of a failure, with a remark if it is only a warning."""
    return f"{failure.stage} (warning)" if failure.severity is Severity.WARNING else failure.stage


def _failure_in_full(entry: MachineFailure) -> str:
    failure = entry.failure
    lines = failure.detail.split("\n")
    # A compiler's first error is at the beginning; a program's is at the end.
    shown = lines[:3] if failure.stage == "build" else lines[-3:]
    detail = f" | {' / '.join(shown)}" if failure.detail else ""
    return f"{entry.machine} {stage_of(failure)}: {failure.subject}: {failure.reason}{detail}"
