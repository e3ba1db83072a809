# SPDX-License-Identifier: MIT OR Apache-2.0
"""cyclometer table"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from cyclometer import paths
from cyclometer.analyse import TableOptions, View, build_tables, contents
from cyclometer.analyse.estimate.cell_cache import open_cells
from cyclometer.analyse.estimate.measurement_index import MeasurementIndex
from cyclometer.cli._options import MinSecurity, Results, Unbroken
from cyclometer.cli._systems import chosen, declared, secure
from cyclometer.errors import CyclometerError, NothingToDo, UnknownName
from cyclometer.records.table import MachineFailure, Report, Table
from cyclometer.report import reporter
from cyclometer.store import connect, results_folder, select_runs, storage


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[OPERATION|SYSTEM]...", help="default: all that was measured"),
    ] = None,
    *,
    by: Annotated[
        str, typer.Option("--by", "--view", metavar="VIEW", help="one view, such as length, machine, verify, sizes")
    ] = "",
    measure: Annotated[list[str] | None, typer.Option(help="only this measure (repeatable)")] = None,
    length: Annotated[str, typer.Option(metavar="N,N...", help="these packet lengths, in bytes")] = "",
    run: Annotated[list[str] | None, typer.Option(help="runs by name or pattern; default: the last")] = None,
    machine: Annotated[list[str] | None, typer.Option(help="machines by name or pattern")] = None,
    everything: Annotated[bool, typer.Option("--all", help="all complete runs together")] = False,
    format: Annotated[str, typer.Option(help="terminal, csv, json, markdown or latex")] = "terminal",
    across_contracts: Annotated[
        bool, typer.Option("--across-contracts", help="also machines whose numbers do not compare, beside the others")
    ] = False,
    per_byte: Annotated[bool, typer.Option("--per-byte", help="cycles per byte")] = False,
    mbps: Annotated[bool, typer.Option("--mbps", help="MB/s (10^6 bytes) at the clock the run saw")] = False,
    quartiles: Annotated[bool, typer.Option("--quartiles", help="first and third quartile beside it")] = False,
    sort: Annotated[str, typer.Option(help="name, cycles (of the last column), or a column")] = "cycles",
    failures: Annotated[bool, typer.Option("--failures", help="all that could not run, in full")] = False,
    unbroken: Unbroken = False,
    min_security: MinSecurity = 0,
    results: Results = None,
) -> None:
    """Print the tables of the last run, or of any set of runs."""
    write = reporter(format)
    folder = results_folder(results)
    stored = select_runs(folder, run or (), machine or (), everything=everything)
    infos = [entry.info for entry in stored if entry.info]
    known = open_cells(stored, paths.cache_folder())
    place = stored[0].folder if len(stored) == 1 else folder
    with storage("read", place), connect(stored, samples=known is None) as connection:
        inventory = known.inventory if known else MeasurementIndex.of_samples(connection)
        named = chosen(inventory.systems(), names or [])
        systems, insecure = secure(named, infos, unbroken=unbroken, least_bits=min_security)
        views = _views(inventory, list(systems), by, machines=len({info.machine for info in infos}))
        wishes = TableOptions(
            systems=tuple(f"{operation}/{name}" for operation, found in systems.items() for name in found),
            measures=_measures(views, measure or []),
            lengths=_lengths(inventory, length),
            across_contracts=across_contracts,
            per_byte=per_byte,
            megabytes=mbps,
            sort=sort,
        )
        tables, notes = build_tables(connection, infos, views, wishes, known)
        failed = _failures(contents.failures(connection), systems)
    _check(tables, sort)
    report = Report(
        tables=tuple(tables),
        failures=tuple(failed),
        notes=(*notes, *insecure),
        with_quartiles=quartiles,
        with_all_failures=failures,
    )
    write(report, sys.stdout)


def _known(kind: str, names: Sequence[str], known: set[str]) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            raise UnknownName(kind, name, sorted(known), "known: " + ", ".join(sorted(known)))
    return tuple(names)


def _measures(views: dict[str, list[View]], names: Sequence[str]) -> tuple[str, ...]:
    return _known("measure", names, {m for several in views.values() for view in several for m in view.measures})


def _views(inventory: MeasurementIndex, operations: Sequence[str], by: str, *, machines: int) -> dict[str, list[View]]:
    """The view asked for, of each operation that has it; else those printed unasked."""
    views_of = {operation: _declared(inventory, operation) for operation in operations}
    if not by:
        return {o: [view for view in views if view.is_default(machines)] for o, views in views_of.items()}
    every = [view for views in views_of.values() for view in views]
    if not any(view.answers(by) for view in every):
        _known("view", [by], {view.name for view in every})
    return {o: [view for view in views if view.answers(by)] for o, views in views_of.items()}


def _declared(inventory: MeasurementIndex, operation: str) -> list[View]:
    measures = inventory.measures(operation)
    known = declared(operation, measures)
    return known[1] if known else View.undeclared(measures)


def _lengths(inventory: MeasurementIndex, text: str) -> tuple[int, ...]:
    """Packet lengths of --length, each of which was measured."""
    if not text:
        return ()
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() for word in words):
        raise CyclometerError(f"--length {text!r} is no list of lengths; give bytes, such as 40,576")
    sampled = inventory.lengths()
    for word in words:
        if int(word) not in sampled:
            nearest = min(sampled, key=lambda length: abs(length - int(word)), default=0)
            raise UnknownName("length", word, (), f"not measured in the runs chosen; the nearest is {nearest}")
    return tuple(int(word) for word in words)


def _check(tables: Sequence[Table], sort: str) -> None:
    if not tables:
        raise NothingToDo("nothing of the kind was measured in the runs chosen; `cyclometer runs` lists others")
    if sort not in {"name", "cycles"}:
        columns = {c.label for t in tables for c in t.columns if c.unit != "bytes"}
        _known("column to sort by", [sort], {"name", "cycles"} | columns)


def _failures(failures: Sequence[MachineFailure], chosen: contents.Systems) -> list[MachineFailure]:
    """Those of the systems chosen, and those of no system in particular."""
    found = []
    for each in failures:
        subject = each.failure.subject
        if not subject.primitive or subject.primitive in chosen.get(subject.operation, []):
            found.append(each)
    return found
