# SPDX-License-Identifier: MIT OR Apache-2.0
"""cyclometer compare"""

from __future__ import annotations

import secrets
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from cyclometer import campaign, paths
from cyclometer.analyse import prepare
from cyclometer.analyse.comparison.ratios import CompareOptions, Comparison, comparisons, sentences, slower, tables
from cyclometer.analyse.comparison.sides import NotComparable, Side, differences, must_compare, pair_each, pair_named
from cyclometer.analyse.contents import measured_by_run, measures
from cyclometer.analyse.estimate.core_cycles import VARIABLES
from cyclometer.cli._options import Keys, Lengths, Results, Tree
from cyclometer.cli._progress import ProgressReporter
from cyclometer.discover import discover, select
from cyclometer.errors import CyclometerError, NothingToDo, UnknownName
from cyclometer.records.grid import keys_of, lengths_of, texts_asked
from cyclometer.records.rounds import RunKey
from cyclometer.records.table import Report, Table
from cyclometer.records.tuning_name import SYNTAX, TuningName
from cyclometer.report import reporter
from cyclometer.store import StoredRun, connect, results_folder, select_runs, storage

ROUNDS = 10
"""Of an interleaved comparison, unless the user says otherwise; even, so that A B is followed by B A."""

FailAbove = Annotated[
    float | None,
    typer.Option(min=0, metavar="PERCENT", help="exit status 1 where B is seen to be slower by more, or lost a system"),
]

Now = Annotated[
    bool | None,
    typer.Option(
        "--now/--stored", help="measure both here, interleaved, or use what is stored; default: now if possible"
    ),
]

FOR_PROGRAMS = {"csv", "json"}  # formats that get every point


def command(
    sides: Annotated[list[str] | None, typer.Argument(metavar=f"[{SYNTAX}]...", help="A and B; see above")] = None,
    *,
    now: Now = None,
    run: Annotated[
        list[str] | None, typer.Option(help="the run of A and B, or first that of A and then that of B")
    ] = None,
    machine: Annotated[list[str] | None, typer.Option(help="the machine, likewise; with --now, its name")] = None,
    by: Annotated[str, typer.Option(help="what runs down the table: length, keys, ad_length or alignment")] = "length",
    measure: Annotated[list[str] | None, typer.Option(help="only this measure (repeatable)")] = None,
    length: Lengths = "",
    keys: Keys = "",
    foreign: Tree = None,
    rounds: Annotated[int, typer.Option(min=1, max=1000, help="processes a side, with --now")] = ROUNDS,
    profile: Annotated[str, typer.Option(help="quick or full, with --now")] = "quick",
    seed: Annotated[int | None, typer.Option(min=0, help="fixes the inputs, with --now; default: random")] = None,
    across_contracts: Annotated[
        bool, typer.Option("--across-contracts", help="compare even what was measured in different ways or units")
    ] = False,
    fail_above: FailAbove = None,
    format: Annotated[str, typer.Option(help="terminal, csv, json, markdown or latex")] = "terminal",
    results: Results = None,
) -> None:
    """Tell which of two is faster, from which length on, by how much, and what is different about them.

    \b
    Two systems:          compare salsa20-poly1305 aes-128-gcm
    Two implementations:  compare salsa20-poly1305:avx2 salsa20-poly1305:avx512
    Two compilers:        compare salsa20-poly1305:avx2:gcc-O3 salsa20-poly1305:avx2:clang-O3
    Two runs:             compare --run R1 --run R2 [SYSTEM]...
    Two machines:         compare --machine M1 --machine M2 [SYSTEM]...
    Two of a tree:        compare --tree DIR sha256:ref sha256:fast

    A part that is left out means the tuning chosen; * and ? are understood.
    """
    write = reporter(format)
    if by not in VARIABLES:
        raise UnknownName("variable", by, VARIABLES, "one of " + ", ".join(VARIABLES))
    names = [TuningName.parse(side) for side in sides or ()]
    folder, runs, machines = results_folder(results), run or [], machine or []
    wanted = _wanted(by, measure or (), length, keys, format)
    if _now(now, names, runs, machines, foreign):
        lengths, numbers = texts_asked(length, keys)
        options = campaign.Options(
            systems=tuple(dict.fromkeys(name.system for name in names)),
            profile=profile,
            machine=machines[0] if machines else socket.gethostname(),
            implementations=_implementations(names),
            rounds=rounds,
            seed=secrets.randbelow(1 << 32) if seed is None else seed,
            lengths=lengths,
            keys=numbers if keys or by != "keys" else "",
            tree=str(foreign.resolve()) if foreign else "",
        )
        name, names = _measured(options, (names[0], names[1]), wanted, folder)
        runs, machines = [name], [options.machine]
    report, worse = _stored(folder, names, runs, machines, wanted, across_contracts, fail_above)
    write(report, sys.stdout)
    _gate(worse)


def _wanted(by: str, measures: Sequence[str], length: str, keys: str, format: str) -> CompareOptions:
    lengths, numbers = (frozenset(v for each in some for v in each) for some in (lengths_of(length), keys_of(keys)))
    return CompareOptions(
        by=by, measures=tuple(measures), lengths=lengths, keys=numbers, every_row=format in FOR_PROGRAMS
    )


def _gate(worse: Sequence[str]) -> None:
    """Exit status 1 where B is worse."""
    if worse:
        print(f"cyclometer: B is worse: {'; '.join(worse)}", file=sys.stderr)
        raise typer.Exit(1)


def _now(
    asked: bool | None,
    names: Sequence[TuningName],
    runs: Sequence[str],
    machines: Sequence[str],
    foreign: Path | None,
) -> bool:
    """Whether to measure: as asked, else if both sides are named and the tree has them. A foreign tree is there to be
    measured."""
    if foreign:
        if asked is False:
            raise CyclometerError("--tree is for measuring now; what is stored is named by --run")
        asked = True
    if asked and (len(names) != 2 or runs or len(machines) > 1):
        raise CyclometerError("--now measures two tunings here: name A and B, and no run")
    if asked is not None:
        return asked
    if len(names) != 2 or runs or machines:
        return False
    try:
        select(discover(paths.root(), ""), [name.system for name in names])
    except CyclometerError:
        return False
    return True


def _implementations(names: Sequence[TuningName]) -> tuple[str, ...]:
    """Only those named are built, where both sides name one."""
    named = [name.implementation for name in names]
    return tuple(dict.fromkeys(named)) if not any(set(name) & set("*?[") for name in named) else ()


def _measured(
    options: campaign.Options, names: tuple[TuningName, TuningName], wanted: CompareOptions, results: Path
) -> tuple[str, list[TuningName]]:
    """Measures both, interleaved; the name of the run, and the two tunings in full as it settled on them.
    What will be asked of it is looked at first."""
    environment = campaign.prepare_environment(paths.root(), systems=options.systems, foreign=options.tree)
    chosen = select(environment.catalogue, options.systems)
    operations = sorted({primitive.operation for primitive in chosen})
    if len(operations) > 1:
        raise NotComparable(f"cannot compare: {' and '.join(operations)} are different operations")
    grids = campaign.plan_for(environment, options).grids.values()
    _known_measures(wanted, {line.split()[0] for grid in grids for line in grid})
    reporter = ProgressReporter()
    reporter.say_what_there_is(environment)
    folder = campaign.compare(environment, options, names, results, reporter)
    reporter.say(f"stored {folder}")
    stored = select_runs(results, [folder.name], [options.machine])[0]
    assert stored.info
    return folder.name, [TuningName.parse(name) for name in stored.info.plan["pair"]]


def _known_measures(wanted: CompareOptions, known: set[str]) -> None:
    for name in wanted.measures:
        if name not in known:
            raise UnknownName("measure", name, sorted(known), "known: " + ", ".join(sorted(known)))


def _stored(
    folder: Path,
    names: Sequence[TuningName],
    runs: Sequence[str],
    machines: Sequence[str],
    wanted: CompareOptions,
    across: bool,
    percent: float | None = None,
) -> tuple[Report, list[str]]:
    """What is to be said, and in what B is worse than `percent` allows."""
    selected = _selected(folder, names, runs, machines)
    every = {(entry.machine, entry.run): entry for entries in selected for entry in entries}
    stored = list(every.values())
    with storage("read", folder), connect(stored) as connection:
        prepare(connection, [entry.info for entry in stored if entry.info])
        _known_measures(wanted, {name for several in measures(connection).values() for name in several})
        infos = [[entry.info for entry in entries if entry.info] for entries in selected]
        found: list[tuple[tuple[Side, Side], list[Comparison], list[Table]]] = []
        notes, worse = [], []
        has = [set(), set()] if names else _has(measured_by_run(connection), selected)
        only = [sorted(has[0] - has[1]), sorted(has[1] - has[0])]
        named = [pair_named(connection, infos, names)] if len(names) == 2 else None
        for sides in named or pair_each(connection, infos, names or _common(has)):
            notes += must_compare(sides, across=across)
            compared = comparisons(connection, sides, wanted)
            found.append((sides, compared, tables(connection, sides, compared, wanted)))
            worse += _worse(sides, compared, percent)
        notes += [f"only in {letter}: {', '.join(those)}" for letter, those in zip("AB", only, strict=True) if those]
        worse += [f"it has no {system}" for system in only[0]] if percent is not None else []
        for sides, compared, _ in found:
            system = f"{sides[0].subject.primitive}, " if len(found) > 1 else ""
            notes += [f"{system}{sentence}" for sentence in sentences(sides, compared)]
        notes += dict.fromkeys(line for sides, _, _ in found for line in differences(connection, sides))
    report = Report(tables=tuple(table for _, _, several in found for table in several), notes=tuple(notes))
    return report, worse


def _worse(sides: tuple[Side, Side], compared: Sequence[Comparison], percent: float | None) -> list[str]:
    """In words, where B is slower by more than so many per cent."""
    if percent is None:
        return []
    return [
        f"{sides[1].subject.primitive} {each.measure} is slower by more than {percent:g} % at "
        f"{len(where)} of {len(each.values)} (first at {each.by} {where[0]})"
        for each in compared
        if (where := slower(each, percent))
    ]


def _selected(
    folder: Path, names: Sequence[TuningName], runs: Sequence[str], machines: Sequence[str]
) -> list[list[StoredRun]]:
    """The runs that A may be of, and those that B may be of."""
    if len(names) > 2 or len(runs) > 2 or len(machines) > 2:
        raise CyclometerError("compare takes two sides: at most two tunings, two runs, two machines")
    if len(names) < 2 and len(runs) < 2 and len(machines) < 2:
        raise CyclometerError("name two tunings, two runs (--run twice) or two machines (--machine twice)")
    return [select_runs(folder, _of_side(runs, place), _of_side(machines, place), everything=True) for place in (0, 1)]


def _of_side(names: Sequence[str], place: int) -> Sequence[str]:
    return [names[place]] if len(names) == 2 else names


def _common(has: Sequence[set[str]]) -> list[TuningName]:
    """The systems that both have."""
    if not has[0] & has[1]:
        raise NothingToDo("the two have no system in common")
    return [TuningName(system=system) for system in sorted(has[0] & has[1])]


def _has(systems: Mapping[RunKey, set[str]], selected: Sequence[Sequence[StoredRun]]) -> list[set[str]]:
    """operation/primitive of all that is measured in the runs of each side."""
    return [set().union(*(systems.get((entry.run, entry.machine), set()) for entry in entries)) for entries in selected]
