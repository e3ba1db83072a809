# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer table`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer

from cyclometer import paths
from cyclometer.analyse import TableOptions, View, build_tables, contents, placement_tables
from cyclometer.analyse.estimate.cell_cache import open_cells
from cyclometer.analyse.estimate.measurement_index import MeasurementIndex
from cyclometer.cli import _values
from cyclometer.cli._options import (
    AllRuns,
    Machines,
    Measures,
    MinSecurity,
    Names,
    Results,
    Runs,
    TableFormat,
    Unbroken,
    Verbose,
)
from cyclometer.cli._pager import Pager, paged
from cyclometer.cli._select import selected
from cyclometer.cli._systems import chosen, declared, is_named, secure
from cyclometer.errors import CyclometerError, NothingToDo, UnknownName
from cyclometer.records.placement import PLACEMENT_VIEW
from cyclometer.records.table import MachineFailure, Report, Table
from cyclometer.records.tuning import Tuning
from cyclometer.report import Reporter, reporter
from cyclometer.store import connect, results_folder, storage

PANEL = "Look at results"

By = Annotated[
    str,
    typer.Option(
        "--by",
        "--view",
        metavar="VIEW",
        autocompletion=_values.views,
        help="One view, such as length, keys, machine or tuning (docs/reading-tables.md).",
    ),
]

PacketLengths = Annotated[
    str,
    typer.Option(
        metavar="N,N...",
        help="Only these lengths (bytes, or what the operation counts), interpolated if they were not measured.",
    ),
]

AdLengths = Annotated[
    str,
    typer.Option("--ad", metavar="N,N...", help="Only these bytes of associated data; default: the view's."),
]

AcrossContracts = Annotated[
    bool,
    typer.Option(
        "--across-contracts", help="Also show machines whose numbers have another contract and do not compare."
    ),
]

MegabytesPerSecond = Annotated[
    bool, typer.Option("--mbps", help="Show MB/s (10^6 bytes per second) at the clock rate during the run.")
]

Quartiles = Annotated[bool, typer.Option("--quartiles", help="Also show the first and third quartile of all timings.")]

Sort = Annotated[
    str, typer.Option(help="Sort rows by name, by cycles (of the last column), or by the column with this heading.")
]

Top = Annotated[int | None, typer.Option("--top", metavar="N", min=1, help="Only the first N rows of each table.")]

AllFailures = Annotated[bool, typer.Option("--failures", help="List in full what could not be built, checked or run.")]


def command(
    names: Names = None,
    *,
    by: By = "",
    measure: Measures = None,
    length: PacketLengths = "",
    ad: AdLengths = "",
    run: Runs = None,
    machine: Machines = None,
    everything: AllRuns = False,
    format: TableFormat = "terminal",
    across_contracts: AcrossContracts = False,
    per_byte: Annotated[bool, typer.Option("--per-byte", help="Show cycles per byte (block, item ...).")] = False,
    mbps: MegabytesPerSecond = False,
    quartiles: Quartiles = False,
    sort: Sort = "cycles",
    top: Top = None,
    failures: AllFailures = False,
    unbroken: Unbroken = False,
    min_security: MinSecurity = 0,
    verbose: Verbose = False,
    pager: Pager = True,
    results: Results = None,
) -> None:
    """Print the tables of the last complete run, or of any set of runs."""
    write, folder = reporter(format), results_folder(results)
    stored = selected(folder, run, machine, everything=everything)
    infos = [entry.info for entry in stored if entry.info]
    placed = by == PLACEMENT_VIEW
    cells = None if placed else open_cells(stored, paths.cache_folder())
    location = stored[0].folder if len(stored) == 1 else folder
    with storage("read", location), connect(stored, samples=cells is None) as connection:
        inventory = cells.inventory if cells else MeasurementIndex.of_samples(connection)
        named = chosen(inventory.systems(), names or [])
        systems, insecure = secure(named, infos, unbroken=unbroken, least_bits=min_security)
        views = _views(inventory, list(systems), "" if placed else by, machines=len({info.machine for info in infos}))
        options = TableOptions(
            systems=tuple(f"{operation}/{name}" for operation, names_of_it in systems.items() for name in names_of_it),
            measures=_measures(views, measure or []),
            lengths=_numbers("--length", length) if placed else _lengths(inventory, "length", length, measure or ()),
            ad_lengths=_lengths(inventory, "ad_length", ad, measure or ()),
            across_contracts=across_contracts,
            per_byte=per_byte,
            megabytes=mbps,
            sort=sort,
        )
        build = placement_tables if placed else build_tables
        tables, notes = build(connection, infos, views, options, cells)
        failed = _failures(contents.failures(connection), names or [])
    _check(tables, sort, length, every_one_failed=bool(failed) and not named)
    report = Report(
        tables=tuple(replace(table, rows=table.rows[:top]) for table in tables),
        failures=tuple(failed),
        notes=(*notes, *insecure, *_cut(tables, top)),
        with_quartiles=quartiles,
        with_all_failures=failures,
        verbose=verbose,
    )
    _print(report, write, pager)


def _print(report: Report, write: Reporter, pager: bool) -> None:
    with paged(pager) as stream:
        write(report, stream)
    if not report.tables:
        raise NothingToDo("nothing was measured; the failures above say why")


def _cut(tables: Sequence[Table], top: int | None) -> list[str]:
    """Return a note if rows are left out."""
    longest = max((len(table.rows) for table in tables), default=0)
    first = "the first row" if top == 1 else f"the first {top} rows"
    return [f"{first} of at most {longest}; --top shows more"] if top and longest > top else []


def _checked(kind: str, names: Sequence[str], known: set[str]) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            raise UnknownName(kind, name, sorted(known), "known: " + ", ".join(sorted(known)))
    return tuple(names)


def _measures(views: dict[str, list[View]], names: Sequence[str]) -> tuple[str, ...]:
    return _checked("measure", names, {m for several in views.values() for view in several for m in view.measures})


def _views(inventory: MeasurementIndex, operations: Sequence[str], by: str, *, machines: int) -> dict[str, list[View]]:
    """Return the requested view of each operation that has it; without a request, the default views."""
    views_of = {operation: _declared(inventory, operation) for operation in operations}
    if not by:
        return {o: [view for view in views if view.is_default(machines)] for o, views in views_of.items()}
    every = [view for views in views_of.values() for view in views]
    if not any(view.answers(by) for view in every):
        _checked("view", [by], {view.name for view in every} | {PLACEMENT_VIEW})
    return {o: [view for view in views if view.answers(by)] for o, views in views_of.items()}


def _declared(inventory: MeasurementIndex, operation: str) -> list[View]:
    measures = inventory.measures(operation)
    declaration = declared(operation, measures)
    return declaration[1] if declaration else View.undeclared(measures)


def _lengths(inventory: MeasurementIndex, variable: str, text: str, measures: Sequence[str]) -> tuple[int, ...]:
    """Parse --length or --ad.

    Raises `UnknownName` for what none of these measures (none: all) has, nor has on both sides.
    """
    kind, option = ("length", "--length") if variable == "length" else ("length of associated data", "--ad")
    asked = _numbers(option, text)
    sampled = inventory.values(variable, measures)
    for number in asked:
        between = variable == "length" and inventory.has_on_both_sides(number, measures)  # it is interpolated
        if number in sampled or between:
            continue
        nearest = min(sampled, key=lambda length: abs(length - number), default=0)
        remedy = f"`cyclometer run {option} {number}` measures it"
        raise UnknownName(
            kind, str(number), (), f"not measured in the selected runs; the nearest is {nearest}; {remedy}"
        )
    return asked


def _numbers(option: str, text: str) -> tuple[int, ...]:
    words = [word.strip() for word in text.split(",")] if text else []
    if not all(word.isascii() and word.isdigit() for word in words):
        raise CyclometerError(f"{option} {text!r} is not a list of lengths; give numbers, such as 40,576")
    return tuple(map(int, words))


def _check(tables: Sequence[Table], sort: str, length: str, *, every_one_failed: bool) -> None:
    if every_one_failed:
        return
    if not tables and length:
        raise NothingToDo(
            f"nothing was measured at length {length}, nor at a shorter and a longer one; "
            f"`cyclometer run --length {length}` measures it"
        )
    if not tables:
        raise NothingToDo("the selected runs have no such measurements; `cyclometer runs` lists others")
    if sort not in {"name", "cycles"}:
        columns = {c.label for t in tables for c in t.columns if c.unit != "bytes"}
        _checked("column to sort by", [sort], {"name", "cycles"} | columns)


def _failures(failures: Sequence[MachineFailure], names: Sequence[str]) -> list[MachineFailure]:
    """Return the failures of the systems named (nothing: of all), and those that concern no particular system.

    A system that failed altogether is not among those measured.
    """

    def is_shown(subject: Tuning) -> bool:
        return not names or not subject.primitive or is_named(subject.operation, subject.primitive, names)

    return [each for each in failures if is_shown(each.failure.subject)]
