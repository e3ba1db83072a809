# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer compare`."""

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
from cyclometer.cli._folders import SameAs, resolve
from cyclometer.cli._options import AdLengths, Keys, Lengths, Measures, Results, TableFormat, Tree, Unsafe
from cyclometer.cli._output import complain
from cyclometer.cli._progress import ProgressReporter
from cyclometer.cli._select import selected
from cyclometer.discover import discover, select, with_pairs
from cyclometer.discover.views import length_units
from cyclometer.errors import CyclometerError, NothingToDo, UnknownName
from cyclometer.records.grid import ad_lengths_of, keys_of, lengths_of, text_of, texts_asked
from cyclometer.records.rounds import RunKey
from cyclometer.records.table import Report, Table
from cyclometer.records.tuning_name import SYNTAX, TuningName
from cyclometer.report import reporter
from cyclometer.store import StoredRun, connect, results_folder, select_runs, storage

ROUNDS = 10
"""The default number of rounds of an interleaved comparison; even, so that A B is followed by B A."""

FailAbove = Annotated[
    float | None,
    typer.Option(
        min=0,
        metavar="PERCENT",
        help="Exit with status 1 if B is significantly slower by more than PERCENT, or lacks a system that A has.",
    ),
]

Now = Annotated[
    bool | None,
    typer.Option(
        "--now/--stored",
        help="Measure both now, interleaved, or compare stored runs; default: now, if A and B are systems of this tree "
        "and no run or machine is named.",
    ),
]

FOR_PROGRAMS = {"csv", "json"}  # formats that list every point


Sides = Annotated[
    list[str] | None, typer.Argument(metavar=f"[{SYNTAX}]...", help="The two sides A and B, as shown above.")
]

RunOfSides = Annotated[list[str] | None, typer.Option(help="Run of both sides; given twice, of A and of B.")]

MachineOfSides = Annotated[
    list[str] | None,
    typer.Option(help="Machine of both sides; given twice, of A and of B. With --now, the name of this machine."),
]

By = Annotated[
    str,
    typer.Option(
        help="Variable of the rows: length (bytes, or what the operation counts), keys (active keys), ad_length "
        "(bytes) or alignment (bytes)."
    ),
]

AcrossContracts = Annotated[
    bool,
    typer.Option(
        "--across-contracts",
        help="Compare even numbers with different contracts (measuring code or grid) or units.",
    ),
]


def command(
    sides: Sides = None,
    *,
    now: Now = None,
    run: RunOfSides = None,
    machine: MachineOfSides = None,
    by: By = "length",
    measure: Measures = None,
    length: Lengths = "",
    keys: Keys = "",
    ad: AdLengths = "",
    foreign: Tree = None,
    same_as: SameAs = "",
    unsafe: Unsafe = False,
    rounds: Annotated[int, typer.Option(min=1, max=1000, help="With --now: rounds (processes) per side.")] = ROUNDS,
    profile: Annotated[str, typer.Option(help="With --now: quick or full.")] = "quick",
    seed: Annotated[int | None, typer.Option(min=0, help="With --now: seed of the order; default: random.")] = None,
    across_contracts: AcrossContracts = False,
    fail_above: FailAbove = None,
    format: TableFormat = "terminal",
    results: Results = None,
) -> None:
    """Compare two systems, tunings, runs or machines: which is faster, from which length on, and by how much.

    \b
    Two systems:          compare salsa20-poly1305 aes-128-gcm
    Two implementations:  compare salsa20-poly1305:avx2 salsa20-poly1305:avx512
    Two compilers:        compare salsa20-poly1305:avx2:gcc-O3 salsa20-poly1305:avx2:clang-O3
    Two runs:             compare --run R1 --run R2 [SYSTEM]...
    Two machines:         compare --machine M1 --machine M2 [SYSTEM]...
    Two in a tree:        compare --tree DIR sha256:ref sha256:fast
    Your own code:        compare ./mysha sha-256:openssl

    A part that is left out means the chosen tuning; * and ? are wildcards.
    """
    write = reporter(format)
    if by not in VARIABLES:
        raise UnknownName("variable", by, VARIABLES, "one of " + ", ".join(VARIABLES))
    named = resolve(sides or (), same_as)
    names = [TuningName.parse(side) for side in named.systems]
    folder, runs, machines = results_folder(results), run or [], machine or []
    wanted = _compare_options(by, measure or (), length, keys, ad, format)
    if _is_now(now or (True if named.folders else now), names, runs, machines, foreign):
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
            ad_lengths=text_of(ad_lengths_of(ad)),
            tree=str(foreign.resolve()) if foreign else "",
            folders=named.folders,
            same_as=named.same_as,
            unsafe=unsafe,
        )
        name, names = _measured(options, (names[0], names[1]), wanted, folder)
        runs, machines = [name], [options.machine]
    report, worse = _stored(folder, names, runs, machines, wanted, across_contracts, fail_above)
    write(report, sys.stdout)
    _gate(worse)


def _compare_options(by: str, measures: Sequence[str], length: str, keys: str, ad: str, format: str) -> CompareOptions:
    asked = (lengths_of(length), keys_of(keys), ad_lengths_of(ad))
    lengths, numbers, ad_lengths = (frozenset(v for each in some for v in each) for some in asked)
    return CompareOptions(
        by=by,
        measures=tuple(measures),
        lengths=lengths,
        keys=numbers,
        ad_lengths=ad_lengths,
        every_row=format in FOR_PROGRAMS,
    )


def _gate(worse: Sequence[str]) -> None:
    """Exit with status 1 if B is worse."""
    if worse:
        complain(f"B is worse: {'; '.join(worse)}")
        raise typer.Exit(1)


def _is_now(
    choice: bool | None,
    names: Sequence[TuningName],
    runs: Sequence[str],
    machines: Sequence[str],
    foreign: Path | None,
) -> bool:
    """Return whether to measure now: the user's choice, else whether both sides are named and in the tree.

    A foreign tree is always measured now.
    """
    if foreign:
        if choice is False:
            raise CyclometerError("--tree measures now and excludes --stored; name a stored run with --run instead")
        choice = True
    if choice and (len(names) != 2 or runs or len(machines) > 1):
        raise CyclometerError("--now measures two tunings on this machine: name A and B, and no run")
    if choice is not None:
        return choice
    if len(names) != 2 or runs or machines:
        return False
    try:
        systems = [name.system for name in names]
        select(with_pairs(discover(paths.root(), ""), systems), systems)
    except CyclometerError:
        return False
    return True


def _implementations(names: Sequence[TuningName]) -> tuple[str, ...]:
    """Return the only implementations to build, if each side names one; else none."""
    named = [name.implementation for name in names]
    return tuple(dict.fromkeys(named)) if not any(set(name) & set("*?[") for name in named) else ()


def _measured(
    options: campaign.Options, names: tuple[TuningName, TuningName], wanted: CompareOptions, results: Path
) -> tuple[str, list[TuningName]]:
    """Measure both sides, interleaved; return the run's name and the full names of the two tunings.

    The measures are checked before anything is built.
    """
    environment = campaign.prepare_environment(
        paths.root(),
        systems=options.systems,
        foreign=options.tree,
        unsafe=options.unsafe,
        folders=options.folders,
        same_as=options.same_as,
    )
    chosen = select(environment.catalogue, options.systems)
    operations = sorted({primitive.operation for primitive in chosen})
    if len(operations) > 1:
        raise NotComparable(f"cannot compare: {' and '.join(operations)} are different operations")
    grids = campaign.plan_for(environment, options).grids
    _known_measures(wanted, {line.split()[0] for operation in operations for line in grids[operation]})
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
    """Return the comparison of stored runs, and in what B is worse than `percent` allows."""
    selected = _selected(folder, names, runs, machines)
    every = {(entry.machine, entry.run): entry for entries in selected for entry in entries}
    stored = list(every.values())
    with storage("read", folder), connect(stored) as connection:
        prepare(connection, [entry.info for entry in stored if entry.info])
        _known_measures(wanted, {name for several in measures(connection).values() for name in several})
        infos = [[entry.info for entry in entries if entry.info] for entries in selected]
        results: list[tuple[tuple[Side, Side], list[Comparison], list[Table]]] = []
        notes, worse = [], []
        measured = [set(), set()] if names else _measured_systems(measured_by_run(connection), selected)
        only = [sorted(measured[0] - measured[1]), sorted(measured[1] - measured[0])]
        named = [pair_named(connection, infos, names)] if len(names) == 2 else None
        for sides in named or pair_each(connection, infos, names or _common(measured)):
            notes += must_compare(sides, across=across)
            compared = comparisons(connection, sides, wanted)
            results.append((sides, compared, tables(connection, sides, compared, wanted)))
            worse += _worse(sides, compared, percent)
        notes += [
            f"only in {letter}: {', '.join(systems)}" for letter, systems in zip("AB", only, strict=True) if systems
        ]
        worse += [f"it has no {system}" for system in only[0]] if percent is not None else []
        for sides, compared, _ in results:
            system = f"{sides[0].subject.primitive}, " if len(results) > 1 else ""
            notes += [f"{system}{sentence}" for sentence in sentences(sides, compared, _length_unit(sides))]
        notes += dict.fromkeys(line for sides, _, _ in results for line in differences(connection, sides))
    report = Report(tables=tuple(table for _, _, several in results for table in several), notes=tuple(notes))
    return report, worse


def _length_unit(sides: tuple[Side, Side]) -> str:
    operation = sides[0].subject.operation
    return length_units(paths.root(), [operation])[operation]


def _worse(sides: tuple[Side, Side], compared: Sequence[Comparison], percent: float | None) -> list[str]:
    """Describe the measures in which B is slower by more than `percent` per cent."""
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
    """Return the runs in which to look for A, and those in which to look for B."""
    if len(names) > 2 or len(runs) > 2 or len(machines) > 2:
        raise CyclometerError("compare takes two sides: name at most two tunings, two runs and two machines")
    if len(names) < 2 and len(runs) < 2 and len(machines) < 2:
        raise CyclometerError("name two tunings, two runs (--run twice) or two machines (--machine twice)")
    return [selected(folder, _of_side(runs, index), _of_side(machines, index), everything=True) for index in (0, 1)]


def _of_side(names: Sequence[str], index: int) -> Sequence[str]:
    return [names[index]] if len(names) == 2 else names


def _common(measured: Sequence[set[str]]) -> list[TuningName]:
    """Return the systems that both sides have. Raises `NothingToDo` if there are none."""
    if not measured[0] & measured[1]:
        raise NothingToDo("the two sides have no system in common; name one system of each")
    return [TuningName(system=system) for system in sorted(measured[0] & measured[1])]


def _measured_systems(systems: Mapping[RunKey, set[str]], selected: Sequence[Sequence[StoredRun]]) -> list[set[str]]:
    """Return operation/primitive of everything that is measured in the runs of each side."""
    return [set().union(*(systems.get((entry.run, entry.machine), set()) for entry in entries)) for entries in selected]
