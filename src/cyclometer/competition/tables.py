# SPDX-License-Identifier: MIT OR Apache-2.0
"""Standings as tables, and the files of tables that a bundle holds."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from cyclometer.competition.files import Competition
from cyclometer.competition.standing import Place, Standing
from cyclometer.records.table import BITS, RATIO, Column, Report, Row, Table, Value
from cyclometer.report import reporter
from cyclometer.workload import OPERATION, ranking_tables

FORMATS = {"json": "json", "csv": "csv", "markdown": "md"}
"""The formats of the published tables, and how their files end."""

DIGITS = 6
"""Significant digits of published numbers, so that another version of a library recomputes them equally."""


def standing_table(competition: Competition, found: Standing, *, reasons: bool = True) -> Table:
    """Return the places of a class; columns are the runs, after what they agree on.

    With `reasons`, the last column says why a system is not ranked; that is too long for a terminal.
    """
    runs = [result.place for result in found.results]
    columns = [
        *(Column(label=label, unit="") for label in ("place", "counts")),
        Column(label="/best", unit=RATIO),
        Column(label=f"/{competition.baseline.system}", unit=RATIO),
        Column(label="bits left", unit=BITS),
        *(Column(label=run, unit=RATIO) for run in runs),
        *([Column(label="not ranked because", unit="")] if reasons else []),
    ]
    rows = [_row(place, runs, reasons=reasons) for place in found.places]
    date = competition.baseline.date
    return Table(
        view="competition",
        operation=OPERATION,
        measure="",
        title=f"{competition.title}, class {found.name}: cost as a multiple of the best; the baseline is "
        f"{competition.baseline.system}, the fastest known on {date}",
        variable="run",
        columns=tuple(columns),
        rows=tuple(rows),
        contexts=tuple(result.context for result in found.results),
    )


def _row(place: Place, runs: list[str], *, reasons: bool) -> Row:
    rank = f"{place.rank}{'=' if place.shared else ''}" if place.rank else "-"
    counts = "yes" if not place.open else f"no: {', '.join(place.open)}"
    figures = [
        Value(value=rank),
        None if place.excluded else Value(value=counts),
        Value(value=place.mean) if place.multiples else None,
        None if place.of_baseline is None else Value(value=place.of_baseline),
        None if place.bits is None else Value(value=place.bits),
        *(Value(value=place.multiples[run]) if run in place.multiples else None for run in runs),
        *([Value(value=place.excluded) if place.excluded else None] if reasons else []),
    ]
    return Row(
        operation=OPERATION,
        primitive=place.system,
        implementation="",
        compiler="",
        label=place.system,
        figures=tuple(figures),
    )


def table_files(competition: Competition, standings: Mapping[str, Standing], lines: list[str]) -> dict[str, str]:
    """Return the published files of tables by name; `lines` say what the attacks on record changed."""
    files = {}
    for name, found in standings.items():
        report = _report(competition, found, [line for line in lines if line.startswith(f"{name}: ")])
        for format, ending in FORMATS.items():
            text = io.StringIO()
            reporter(format)(report, text)
            files[f"{name}.{ending}"] = text.getvalue()
    return files


def _report(competition: Competition, found: Standing, lines: list[str]) -> Report:
    tables = [standing_table(competition, found)]
    notes = list(lines)
    for result in found.results:
        day = competition.dates.publishes
        for table in (
            ranking_tables(result.ranking, result.context, result.hertz, day) if result.ranking.entries else ()
        ):
            tables.append(replace(table, title=f"{table.title} ({result.place})"))
        notes += [f"{result.place}: {name} excluded: {reason}" for name, reason in result.ranking.excluded]
        notes += [f"{result.place}: {note}" for note in result.ranking.notes]
    return Report(tables=tuple(map(_rounded, tables)), notes=tuple(notes))


def _rounded(thing: Any) -> Any:
    """Return a table, or a part of one, whose every floating-point number has DIGITS significant digits."""
    if isinstance(thing, float):
        return float(f"{thing:.{DIGITS}g}")
    if isinstance(thing, tuple):
        return tuple(map(_rounded, thing))
    if is_dataclass(thing) and not isinstance(thing, type):
        return replace(thing, **{part.name: _rounded(getattr(thing, part.name)) for part in fields(thing)})
    return thing
