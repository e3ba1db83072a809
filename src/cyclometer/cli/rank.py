# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer rank`."""

from __future__ import annotations

import datetime
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from cyclometer import campaign, paths
from cyclometer.choose import MAX_EXHAUSTIVE_SYSTEMS
from cyclometer.cli import _values
from cyclometer.cli._options import Results, TableFormat, TimeLimit, Verbose
from cyclometer.cli._output import complain, say
from cyclometer.cli._pairs import plain_and_pairs, screen
from cyclometer.cli._progress import ProgressReporter
from cyclometer.cli._select import complete_runs
from cyclometer.compile import contracts
from cyclometer.discover import MARK, discover, first_answer, followable, select, with_pairs
from cyclometer.errors import CyclometerError, NothingToDo
from cyclometer.records.catalogue import Catalogue, Primitive
from cyclometer.records.grid import MAX_KEYS
from cyclometer.records.table import Report, Table
from cyclometer.report import plots, reporter
from cyclometer.store import results_folder
from cyclometer.workload import (
    OPERATION,
    Needs,
    Point,
    Ranking,
    Survey,
    Workload,
    cost_for,
    find_workload,
    insecure,
    measure_missing,
    needed_points,
    of_trace,
    rank,
    ranking_tables,
    read_material,
    regret_table,
    shipped,
    survey,
    unfit,
)

PANEL = "Look at results"

ATTEMPTS = 2
"""Times that missing points are measured: a second time if another tuning was chosen than in earlier runs."""

FEW_REASONS = 4
"""Reasons of exclusion that an error names."""

Workloads = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[WORKLOAD|FILE.toml]...",
        autocompletion=_values.workloads,
        help="Workloads of the tree (--list), or files; default: imix.",
    ),
]

Traces = Annotated[
    list[Path] | None,
    typer.Option("--trace", metavar="FILE", help="Rank for a capture (pcap, pcapng) or a CSV file (repeatable)."),
]

ActiveKeys = Annotated[int | None, typer.Option(min=1, max=MAX_KEYS, help="Active keys; default: the workload's.")]

Forged = Annotated[
    float | None, typer.Option(min=0, max=1, help="Share of received packets that are forged; default: the workload's.")
]

Encrypt = Annotated[
    float | None, typer.Option(min=0, max=1, help="Share of packets that are sent; default: the workload's.")
]

AsOf = Annotated[
    str, typer.Option(metavar="YYYY-MM-DD", help="Rank by the systems and the attacks that were known on that day.")
]

OnlySystems = Annotated[
    list[str] | None,
    typer.Option("--system", help="Only these AEADs, by name or pattern (repeatable).", autocompletion=_values.systems),
]

Machine = Annotated[str, typer.Option(help="Rank by the runs of this machine; default: its host name.")]

MeasureNow = Annotated[
    bool, typer.Option("--measure/--stored", help="Measure what is missing, or rank only what is stored.")
]

WithPairs = Annotated[
    bool,
    typer.Option(
        "--pairs",
        help="Also rank pairs of cipher and authenticator: all by an estimate from their parts, the best measured.",
    ),
]

Replay = Annotated[bool, typer.Option("--replay/--no-replay", help="Also time the packets in the order of the mix.")]

Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Also draw each ranking: the parts of its costs, and the front of security and cost.",
    ),
]

Rounds = Annotated[int | None, typer.Option(min=1, max=1000, help="Rounds (processes) per system for what is missing.")]


def command(
    workloads: Workloads = None,
    *,
    trace: Traces = None,
    keys: ActiveKeys = None,
    forged: Forged = None,
    encrypt: Encrypt = None,
    as_of: AsOf = "",
    system: OnlySystems = None,
    machine: Machine = "",
    measure: MeasureNow = True,
    replay: Replay = True,
    pairs: WithPairs = False,
    rounds: Rounds = None,
    time_limit: TimeLimit = 60.0,
    plot: Plot = None,
    format: TableFormat = "terminal",
    verbose: Verbose = False,
    list_only: Annotated[bool, typer.Option("--list", help="List the workloads of the tree and exit.")] = False,
    results: Results = None,
) -> None:
    """Rank AEADs for a workload: packet lengths, keys, forgeries, limits, and the security that is left."""
    if list_only:
        return _list()
    write, date, draw = reporter(format), _date(as_of), _drawing(plot)
    loads = _loads(workloads or ([] if trace else ["imix"]), trace or [])
    loads = [load.with_changes(keys=keys, forged=forged, encrypt=encrypt) for load in loads]
    catalogue = with_pairs(discover(paths.root()), system or ())
    primitives = _primitives(catalogue, system or [OPERATION])
    options = campaign.Options(
        machine=machine or socket.gethostname(),
        rounds=rounds,
        check_seconds=time_limit,
        seed=campaign.drawn_seed(),
        constant_time=any(load.limits.constant_time for load in loads),
    )
    folder = results_folder(results)
    lax = replace(options, constant_time=False)
    screened = screen(catalogue, loads, date, lax, folder, measure=measure) if pairs else None
    primitives |= screened.leading if screened else {}
    with_replay, without = (_needs(loads, primitives, date, replay=each) for each in (True, False))
    needs = with_replay if measure and replay else without
    found, failures = _found(folder, catalogue, needs, with_replay, options, loads, measure=measure)
    shown = with_replay if replay else without
    material, context, hertz = read_material(found, shown, primitives, options.machine, failures)
    rankings = [rank(load, material, as_of=date) for load in loads]
    _require_entries(rankings, measure=measure)
    tables = [table for ranking in rankings for table in ranking_tables(ranking, context, hertz, date)]
    draw(tables)
    if len(rankings) > 1:
        tables.append(regret_table(rankings, context))
    tables += screened.tables(rankings, context, date, format) if screened else []
    write(Report(tables=tuple(tables), notes=_notes(rankings), verbose=verbose), sys.stdout)


def _list() -> None:
    for name, file in shipped(paths.root()).items():
        load = find_workload(name, paths.root())
        source = f" ({load.source})" if load.source else ""
        say(f"{name:12} {load.title}{source}" if file else name)


def _drawing(file: Path | None) -> Callable[[Sequence[Table]], None]:
    """Return what draws the tables to a file, or does nothing; a file that cannot be drawn is refused at once."""
    if file is None:
        return lambda tables: None
    plots.require_drawable(file)

    def draw(tables: Sequence[Table]) -> None:
        for written in plots.save_other("ranking", tables, file):
            complain(f"drew {written}")

    return draw


def _date(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text) if text else None
    except ValueError:
        raise CyclometerError(f"--as-of {text!r} is not a date such as 2008-05-01") from None


def _loads(names: Sequence[str], traces: Sequence[Path]) -> list[Workload]:
    return [*(find_workload(name, paths.root()) for name in names), *map(of_trace, traces)]


def _primitives(catalogue: Catalogue, names: Sequence[str]) -> dict[str, Primitive]:
    """Return the AEADs that the names mean; `UnknownName` if one means nothing."""
    chosen = [primitive for primitive in select(catalogue, names) if primitive.operation == OPERATION]
    if not chosen:
        raise NothingToDo(f"{', '.join(names)}: no AEAD; `cyclometer run --list` lists the systems of {OPERATION}")
    return {primitive.name: primitive for primitive in chosen}


def _needs(
    loads: Sequence[Workload], primitives: Mapping[str, Primitive], date: datetime.date | None, *, replay: bool
) -> Needs:
    """Return the points that each system needs for the workloads that admit it by what it declares.

    `NothingToDo` if a workload admits none.
    """
    needs: dict[str, frozenset[Point]] = dict.fromkeys(primitives, frozenset())
    for load in loads:
        reasons = {name: unfit(load, each) or insecure(load, each, date) for name, each in primitives.items()}
        admitted = [name for name, several in reasons.items() if not several]
        if not admitted:
            raise _all_excluded(load, [(name, several[0]) for name, several in reasons.items()])
        for name in admitted:
            needs[name] |= needed_points(load, replay=replay)
    return {name: points for name, points in needs.items() if points}


def _found(
    folder: Path,
    catalogue: Catalogue,
    needs: Needs,
    wished: Needs,
    options: campaign.Options,
    loads: Sequence[Workload],
    *,
    measure: bool,
) -> tuple[Survey, dict[str, str]]:
    """Return what is stored after measuring what was missing, and why systems could not be measured.

    Tunings with the `wished` points are preferred, so that leaving out the replay does not choose another tuning.
    """
    failures: dict[str, str] = {}
    contract = contracts(paths.root(), [catalogue.operations[OPERATION]])[OPERATION] if measure else ""
    strict, cost = options.constant_time, cost_for(loads)

    def look() -> Survey:
        stored = complete_runs(folder, [options.machine])
        return survey(stored, needs, options.machine, contract, wished=wished, constant_time=strict, cost=cost)

    found = look()
    reporter = ProgressReporter()
    environment: campaign.Environment | None = None
    for _ in range(ATTEMPTS if measure else 0):
        lacking = found.missing(needs, followed=strict and not environment)
        missing = _without_failed(lacking, found if environment else None)
        if not missing:
            break
        for group in plain_and_pairs(missing):
            environment = _environment(group, options, reporter, first=not found.coverage, again=environment)
            failures |= measure_missing(environment, options, group, loads, folder, reporter)
        found = look()
    if found.scope is None:
        raise NothingToDo(
            next(iter(failures.values()), "")
            or f"no run of {options.machine} in {folder} has AEADs; `cyclometer rank` without --stored measures them"
        )
    return found, failures


def _environment(
    missing: Needs,
    options: campaign.Options,
    reporter: ProgressReporter,
    *,
    first: bool,
    again: campaign.Environment | None,
) -> campaign.Environment:
    """Return the environment for these systems: of many for the first time, and of pairs, with one compiler."""
    keys = [f"{OPERATION}/{name}" for name in missing]
    environment = campaign.prepare_environment(paths.root(), systems=keys, time_limit=options.check_seconds)
    if options.constant_time:
        environment = replace(environment, catalogue=followable(environment.catalogue, paths.root()))
    if again is None:
        reporter.say_what_there_is(environment)
    if any(MARK in name for name in missing) or (first and len(keys) > MAX_EXHAUSTIVE_SYSTEMS):
        environment = replace(environment, catalogue=first_answer(environment.catalogue))
        reporter.say("a first answer, with one compiler and few libraries; `cyclometer run SYSTEM` tries all")
    return environment


def _without_failed(missing: Needs, found: Survey | None) -> Needs:
    """Leave out, after a first attempt, the systems that were not measured at all: they do not work here."""
    return {name: points for name, points in missing.items() if found is None or name in found.coverage}


def _require_entries(rankings: Sequence[Ranking], *, measure: bool) -> None:
    for ranking in rankings:
        if not ranking.entries:
            remedy = "" if measure else "; without --stored, `rank` measures what is missing"
            raise _all_excluded(ranking.workload, ranking.excluded, remedy)


def _all_excluded(load: Workload, excluded: Sequence[tuple[str, str]], remedy: str = "") -> NothingToDo:
    """Return the error that names the reasons, those of most systems first."""
    systems: dict[str, list[str]] = {}
    for name, reason in excluded:
        systems.setdefault(reason, []).append(name)
    reasons = [
        f"{names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}: {reason}"
        for reason, names in sorted(systems.items(), key=lambda item: -len(item[1]))
    ]
    more = "; ..." if len(reasons) > FEW_REASONS else ""
    return NothingToDo(f"{load.name}: every system is excluded ({'; '.join(reasons[:FEW_REASONS])}{more}){remedy}")


def _notes(rankings: Sequence[Ranking]) -> tuple[str, ...]:
    lines = []
    for ranking in rankings:
        prefix = f"{ranking.workload.name}: " if len(rankings) > 1 else ""
        lines += [f"{prefix}{name} excluded: {reason}" for name, reason in ranking.excluded]
        lines += [f"{prefix}{note}" for note in ranking.notes]
    return tuple(lines)
