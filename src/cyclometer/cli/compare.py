# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer compare`."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from cyclometer import campaign, paths
from cyclometer.analyse import prepare
from cyclometer.analyse.comparison.gate import AUTO, Limit, verdicts
from cyclometer.analyse.comparison.layouts import layout_tables
from cyclometer.analyse.comparison.ratios import CompareOptions, Comparison, comparisons, sentences, tables
from cyclometer.analyse.comparison.sides import Side, differences, must_compare, pair_each, pair_named
from cyclometer.analyse.contents import measured_by_run, measures
from cyclometer.analyse.estimate.cell_source import SampleSource
from cyclometer.analyse.estimate.core_cycles import VARIABLES
from cyclometer.cli import _values
from cyclometer.cli._folders import SameAs, resolve
from cyclometer.cli._gate import AUTO_ROUNDS, FailAbove, close, limit_of
from cyclometer.cli._options import AdLengths, Keys, Layouts, Lengths, Measures, Results, Tree, Unsafe
from cyclometer.cli._progress import ProgressReporter
from cyclometer.cli._sides import common_systems, in_one_operation, measured_systems, runs_of_sides
from cyclometer.discover import discover, select, with_pairs
from cyclometer.discover.views import length_units
from cyclometer.errors import CyclometerError, NothingToDo, UnknownName
from cyclometer.records.grid import ad_lengths_of, keys_of, lengths_of, text_of, texts_asked
from cyclometer.records.table import Report, Table
from cyclometer.records.tuning_name import SYNTAX, TuningName, is_pattern
from cyclometer.records.verdict import Missing, Verdict
from cyclometer.report import reporter
from cyclometer.store import connect, list_runs, results_folder, select_runs, storage

PANEL = "Measure"

ROUNDS = 10
"""The default number of rounds of an interleaved comparison; even, so that A B is followed by B A.

What varies gets more.
"""

Now = Annotated[
    bool | None,
    typer.Option(
        "--now/--stored",
        help="Measure both now, interleaved, or compare stored runs; default: now, if A and B are systems of this tree "
        "and no run or machine is named.",
    ),
]

FOR_PROGRAMS = {"csv", "json", "junit", "github"}  # formats that list every point


Sides = Annotated[
    list[str] | None,
    typer.Argument(
        metavar=f"[{SYNTAX}]...", help="The two sides A and B, as shown above.", autocompletion=_values.systems
    ),
]

VerdictFormat = Annotated[
    str,
    typer.Option(
        autocompletion=_values.verdict_formats,
        help="Output format: terminal, csv, json, markdown, latex; or junit, github: verdicts alone.",
    ),
]

CompilersOfSides = Annotated[
    list[str] | None,
    typer.Option(
        "--compiler",
        help="With --now: build both sides with this compiler (repeatable); default: all, but with --fail-above B is "
        "built by the compiler chosen for A.",
    ),
]

Rounds = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1000,
        help=f"With --now: rounds (processes) per side; default: {ROUNDS}, more of what varies, "
        f"or {AUTO_ROUNDS} for auto.",
    ),
]

RunOfSides = Annotated[
    list[str] | None, typer.Option(help="Run of both sides; given twice, of A and of B.", autocompletion=_values.runs)
]

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
    compiler: CompilersOfSides = None,
    rounds: Rounds = None,
    profile: Annotated[str, typer.Option(help="With --now: quick or full.")] = "quick",
    seed: Annotated[int | None, typer.Option(min=0, help="With --now: seed of the order; default: random.")] = None,
    layouts: Layouts = 0,
    across_contracts: AcrossContracts = False,
    fail_above: FailAbove = None,
    format: VerdictFormat = "terminal",
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
    Linked in 8 ways:     compare salsa20-poly1305 aes-128-gcm --layouts 8

    A part that is left out means the chosen tuning; * and ? are wildcards.
    """
    write, limit = reporter(format, verdicts=True), limit_of(fail_above)
    named, folder, runs, machines = resolve(sides or (), same_as), results_folder(results), run or [], machine or []
    names = [TuningName.parse(side) for side in named.systems]
    wanted = _compare_options(by, measure or (), length, keys, ad, format)
    if _is_now(bool(named.folders) or now, names, runs, machines, foreign, compiler, layouts):
        options = campaign.Options(
            **_tunings(names, compiler),
            profile=profile,
            machine=machines[0] if machines else socket.gethostname(),
            same_compiler=limit is not None,
            **_rounds(rounds, limit),
            seed=campaign.drawn_seed(seed),
            **_grid(by, length, keys, ad),
            layouts=layouts,
            **_sources(foreign, unsafe),
            **named.options(),
        )
        name, names = _measured(options, (names[0], names[1]), wanted, folder, named.hint())
        runs, machines = [name], [options.machine]
    report = _stored(folder, names, runs, machines, wanted, across_contracts, limit)
    write(report, sys.stdout)
    close(report)


def _tunings(names: Sequence[TuningName], compilers: Sequence[str] | None) -> dict[str, Any]:
    """Return what is built: the systems of both sides, and their only implementations, if each side names one."""
    named = [name.implementation for name in names]
    only = named if not any(map(is_pattern, named)) else []
    return {
        "systems": tuple(dict.fromkeys(name.system for name in names)),
        "implementations": tuple(dict.fromkeys(only)),
        "compilers": tuple(compilers or ()),
    }


def _rounds(rounds: int | None, limit: Limit) -> dict[str, Any]:
    """Return how many rounds are taken: those asked for, those of the automatic limit, or as many as are needed."""
    if limit == AUTO:
        return {"rounds": rounds or AUTO_ROUNDS}
    return {"rounds": rounds or ROUNDS, "until_precise": not rounds}


def _sources(foreign: Path | None, unsafe: bool) -> dict[str, Any]:
    return {"tree": str(foreign.resolve()) if foreign else "", "unsafe": unsafe}


def _grid(by: str, length: str, keys: str, ad: str) -> dict[str, Any]:
    """Return what replaces the profile's grid; rows by keys keep the profile's keys unless others are named."""
    lengths, numbers = texts_asked(length, keys)
    return {
        "lengths": lengths,
        "keys": numbers if keys or by != "keys" else "",
        "ad_lengths": text_of(ad_lengths_of(ad)),
    }


def _compare_options(by: str, measures: Sequence[str], length: str, keys: str, ad: str, format: str) -> CompareOptions:
    if by not in VARIABLES:
        raise UnknownName("variable", by, VARIABLES, "one of " + ", ".join(VARIABLES))
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


def _is_now(
    choice: bool | None,
    names: Sequence[TuningName],
    runs: Sequence[str],
    machines: Sequence[str],
    foreign: Path | None,
    compilers: Sequence[str] | None,
    layouts: int,
) -> bool:
    """Return whether to measure now: the user's choice, else whether both sides are named and in the tree.

    A foreign tree is always measured now.
    """
    if foreign:
        if choice is False:
            raise CyclometerError("--tree measures now and excludes --stored; name a stored run with --run instead")
        choice = True
    if len(names) > 2 and not (foreign or runs or machines):
        raise CyclometerError(f"compare has two sides, but {len(names)} are named; `run` measures any number")
    if choice and (len(names) != 2 or runs or len(machines) > 1):
        raise CyclometerError("--now measures two tunings on this machine: name A and B, and no run")
    if choice is None:
        choice = len(names) == 2 and not runs and not machines and _in_this_tree(names)
    if compilers and not choice:
        raise CyclometerError("--compiler pins what is measured now: add --now, or name stored tunings in full")
    if layouts and not choice:
        raise CyclometerError("--layouts measures: add --now; layouts of stored runs are shown without it")
    return choice


def _in_this_tree(names: Sequence[TuningName]) -> bool:
    return _unknown_here(names) is None


def _unknown_here(names: Sequence[TuningName]) -> CyclometerError | None:
    """Return what is wrong with the names as those of this tree's systems; None if nothing is."""
    systems = [name.system for name in names]
    try:
        select(with_pairs(discover(paths.root(), ""), systems), systems)
    except CyclometerError as error:
        return error
    return None


@contextmanager
def _suggesting_names(names: Sequence[TuningName], results: Path) -> Iterator[None]:
    """For systems that neither stored runs nor the tree have, say what the tree has instead."""
    try:
        yield
    except (UnknownName, NothingToDo) as error:
        is_unknown = isinstance(error, UnknownName) and error.kind == "system" and not error.near
        here = _unknown_here(names) if is_unknown or not list_runs(results) else None
        if isinstance(here, UnknownName) and here.near:
            raise here from None
        raise


def _measured(
    options: campaign.Options, names: tuple[TuningName, TuningName], wanted: CompareOptions, results: Path, hint: str
) -> tuple[str, list[TuningName]]:
    """Measure both sides, interleaved; return the run's name and the full names of the two tunings.

    The measures are checked, and a hint is printed, before anything is built.
    """
    environment = campaign.environment_for(paths.root(), options)
    names = in_one_operation(environment.catalogue, names)
    options = replace(options, systems=tuple(dict.fromkeys(name.system for name in names)))
    grids = campaign.plan_for(environment, options).grids
    _known_measures(wanted, {line.split()[0] for line in grids[names[0].system.partition("/")[0]]})
    reporter = ProgressReporter()
    reporter.say_what_there_is(environment)
    if hint:
        reporter.say(hint)
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
    limit: Limit,
) -> Report:
    """Return the comparison of stored runs, with the verdicts that a limit makes."""
    with _suggesting_names(names, folder):
        selected = runs_of_sides(folder, names, runs, machines)
    every = {(entry.machine, entry.run): entry for entries in selected for entry in entries}
    stored = list(every.values())
    with storage("read", folder), connect(stored) as connection:
        prepare(connection, [entry.info for entry in stored if entry.info])
        source = SampleSource(connection)
        _known_measures(wanted, {name for several in measures(connection).values() for name in several})
        infos = [[entry.info for entry in entries if entry.info] for entries in selected]
        results: list[tuple[tuple[Side, Side], list[Comparison], list[Table]]] = []
        placed: list[Table] = []
        notes: list[str] = []
        judged: list[Verdict] = []
        measured = [set(), set()] if names else measured_systems(measured_by_run(connection), selected)
        only = [sorted(measured[0] - measured[1]), sorted(measured[1] - measured[0])]
        with _suggesting_names(names, folder):
            named = [pair_named(connection, infos, names)] if len(names) == 2 else None
        pairs = named or pair_each(connection, infos, names or common_systems(measured))
        notes += [note for sides in pairs for note in must_compare(sides, across=across)]
        for sides, compared in zip(pairs, comparisons(source, pairs, wanted), strict=True):
            results.append((sides, compared, tables(source, sides, compared, wanted)))
            placed += layout_tables(source, sides, wanted)
            judged += verdicts(connection, sides, compared, limit)
        notes += [
            f"only in {letter}: {', '.join(systems)}" for letter, systems in zip("AB", only, strict=True) if systems
        ]
        for sides, compared, _ in results:
            system = f"{sides[0].subject.primitive}, " if len(results) > 1 else ""
            notes += [f"{system}{sentence}" for sentence in sentences(sides, compared, _length_unit(sides))]
        notes += dict.fromkeys(line for sides, _, _ in results for line in differences(connection, sides))
    return Report(
        tables=(*(table for _, _, several in results for table in several), *placed),
        notes=tuple(notes),
        verdicts=tuple(judged),
        missing=tuple(Missing(system=system, passed=limit is None) for system in only[0]),
    )


def _length_unit(sides: tuple[Side, Side]) -> str:
    operation = sides[0].subject.operation
    return length_units(paths.root(), [operation])[operation]
