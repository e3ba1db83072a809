# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer check`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from cyclometer import campaign, paths
from cyclometer.check import VectorFile, all_requests, check_vectors, has_published, has_vectors, read_vectors, validate
from cyclometer.cli import _values
from cyclometer.cli._constant_time import print_verdicts
from cyclometer.cli._folders import SameAs, as_tree, resolve, resolve_usable
from cyclometer.cli._instructions import instructions_content, print_instructions, require_emulator
from cyclometer.cli._json import Format, print_json, wants_json
from cyclometer.cli._options import Compilers, Implementations, TimeLimit, Tree, Unsafe
from cyclometer.cli._output import say, say_lines
from cyclometer.cli._progress import ProgressReporter
from cyclometer.compile import first_error
from cyclometer.discover import counted, read_operations, select
from cyclometer.errors import BadVectors, CyclometerError
from cyclometer.records.executable import Executable
from cyclometer.records.failure import UNAVAILABLE, Failure, Severity
from cyclometer.records.tuning import Tuning

PANEL = "Measure"

NAMED = 3  # systems named in one note
NOTE = "note    "


Systems = Annotated[
    list[str] | None,
    typer.Argument(
        autocompletion=_values.systems,
        help="Systems, operations or patterns, or one folder of source code (as --tree); default: all AEADs.",
    ),
]

Vectors = Annotated[
    Path | None, typer.Option(help="Also check every tuning against this file of vectors (docs/vectors.md).")
]

ConstantTime = Annotated[
    bool,
    typer.Option(
        "--constant-time",
        help="Check instead whether branches or addresses depend on secrets (docs/constant-time.md).",
    ),
]

Instructions = Annotated[
    bool,
    typer.Option(
        "--instructions",
        help="With an emulated --toolchain, also count the instructions of a call; they are no cycles and no time.",
    ),
]

Toolchain = Annotated[
    str,
    typer.Option(
        autocompletion=_values.toolchains,
        help="Build with a check-only toolchain: sanitizers, or the emulated aarch64, armhf, ppc64le, riscv64, s390x.",
    ),
]

Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Also print the output of compilers and programs that failed.")
]


def command(
    systems: Systems = None,
    vectors: Vectors = None,
    implementation: Implementations = None,
    compiler: Compilers = None,
    toolchain: Toolchain = "",
    instructions: Instructions = False,
    follow_secrets: ConstantTime = False,
    foreign: Tree = None,
    same_as: SameAs = "",
    unsafe: Unsafe = False,
    time_limit: TimeLimit = 60.0,
    verbose: Verbose = False,
    format: Format = "terminal",
) -> None:
    """Build and check every tuning; exit with status 1 if one is wrong, or leaks secrets without declaring it."""
    as_json = wants_json(format)
    if follow_secrets and (ignored := _with_own_checker(toolchain, vectors, instructions=instructions)):
        raise CyclometerError(f"--constant-time brings its own checker and inputs; leave out {ignored}")
    file = read_vectors(vectors, read_operations(paths.root())) if vectors else None
    foreign, systems = (foreign, systems or []) if same_as else as_tree(foreign, systems or [])
    named, unusable = (resolve(systems, same_as), []) if follow_secrets else resolve_usable(systems, same_as)
    if unusable and not named.systems:
        _show([], unusable, [], as_json=as_json, verbose=verbose)
        raise typer.Exit(1)
    names = _systems(list(named.systems), file)
    options = campaign.Options(
        systems=tuple(names),
        implementations=tuple(implementation or ()),
        compilers=tuple(compiler or ()),
        toolchain=toolchain,
        check_seconds=time_limit,
        tree=str(foreign or ""),
        **named.options(),
        unsafe=unsafe,
    )
    reporter = ProgressReporter()
    if follow_secrets:
        return print_verdicts(options, as_json=as_json)
    environment = _environment(options, instructions)
    reporter.say_origin(environment)
    if file:
        for primitive in select(environment.catalogue, names):
            validate(file, environment.catalogue.operations[file.operation], primitive)
    right, failures = campaign.check(environment, options, reporter)
    counts, uncounted = campaign.count_instructions(environment, right, reporter) if instructions else ([], [])
    failures += [*uncounted, *unusable]
    tested: list[Executable] = []
    if file:
        tested = [e for e in right if e.subject.operation == file.operation]
        requests = all_requests(file, environment.catalogue.operations[file.operation])
        wrong = [check_vectors(e, requests, time_limit) for e in tested]
        failures += [failure for failure in wrong if failure]
    notes = [*_vectors_note(file, len(tested)), *_unverified_notes(right, environment, tested)]
    _show(right, failures, notes, counts, as_json=as_json, verbose=verbose)
    if any(_is_wrong(failure) for failure in failures) or not right:
        raise typer.Exit(1)


def _show(
    right: list[Executable],
    failures: list[Failure],
    notes: list[str],
    counts: Sequence[campaign.InstructionCount] = (),
    *,
    as_json: bool,
    verbose: bool,
) -> None:
    if as_json:
        print_json({**_content(right, failures, notes), **instructions_content(counts)})
    else:
        _print(right, failures, verbose, notes)
        print_instructions(counts)


def _with_own_checker(toolchain: str, vectors: Path | None, *, instructions: bool) -> str:
    """Return the options that --constant-time would ignore, in words; '' if there are none."""
    given = {"--toolchain": toolchain, "--vectors": vectors, "--instructions": instructions}
    return " and ".join(option for option, value in given.items() if value)


def _environment(options: campaign.Options, instructions: bool) -> campaign.Environment:
    environment = campaign.environment_for(paths.root(), options, counter=campaign.COUNTED if instructions else "")
    if instructions:
        require_emulator(environment, options.toolchain)
    return environment


def _systems(systems: list[str], file: VectorFile | None) -> list[str]:
    """Return the systems to check; with vectors, the one they belong to."""
    if not file:
        return systems
    if len(systems) > 1:
        raise BadVectors(f"{file.path} holds vectors of one system, but {len(systems)} are named; name one")
    name = systems[0] if systems else file.system
    return [name if "/" in name else f"{file.operation}/{name}"]


def _is_wrong(failure: Failure) -> bool:
    harmless = failure.severity is Severity.WARNING or failure.kind in UNAVAILABLE
    return bool(failure.subject.implementation) and not harmless


def _passed(right: list[Executable], failures: list[Failure]) -> list[Tuning]:
    wrong = {failure.subject for failure in failures if failure.severity is not Severity.WARNING}
    return [executable.subject for executable in right if executable.subject not in wrong]


def _verdict(failure: Failure) -> str:
    if _is_wrong(failure):
        return "WRONG"
    return "warning" if failure.severity is Severity.WARNING else "without"


def _content(right: list[Executable], failures: list[Failure], notes: list[str]) -> dict[str, Any]:
    """Return the results as records; a failure whose verdict is `wrong` makes the exit status 1."""
    return {
        "ok": [asdict(subject) for subject in _passed(right, failures)],
        "failures": [{"verdict": _verdict(failure).lower(), **asdict(failure)} for failure in failures],
        "notes": [line.removeprefix(NOTE) for line in notes],
    }


def _print(right: list[Executable], failures: list[Failure], verbose: bool, notes: list[str]) -> None:
    passed = Counter(replace(subject, compiler="") for subject in _passed(right, failures))
    for subject, count in passed.items():
        say(f"ok      {subject} ({counted(count, 'compiler')})")
    for failure, compilers in _grouped(failures):
        say(f"{_verdict(failure):6} {failure.subject}{compilers}: {failure.reason}")
        say_lines(failure.detail if verbose else first_error(failure))
    for line in notes:
        say(line)


def _vectors_note(file: VectorFile | None, tunings: int) -> list[str]:
    return [f"{len(file.vectors)} vectors of {file.path.name} through {tunings} tunings"] if file else []


def _unverified_notes(
    right: list[Executable], environment: campaign.Environment, tested: list[Executable]
) -> list[str]:
    """Name the systems that were compared with no published result; properties cannot tell ciphers apart."""
    unverified: dict[str, set[str]] = {}
    for executable in right:
        subject, foreign = executable.subject, executable.implementation.foreign
        compared = has_published(foreign) if foreign else True
        primitive = environment.catalogue.primitives[subject.key]
        if not compared and not has_vectors(executable.implementation, primitive):
            unverified.setdefault(subject.key, set()).add(subject.implementation)
    for executable in tested:
        unverified.pop(executable.subject.key, None)
    ours = {key: own for key in unverified if (own := campaign.counterpart(environment, key))}
    beside = [
        f"{NOTE}{key}: compared with our {own}, not with published results; --as {own} also checks these"
        for key, own in ours.items()
    ]
    alone = {key: names for key, names in unverified.items() if key not in ours}
    return [*beside[:NAMED], *([_alone(alone)] if alone else [])]


def _alone(unverified: dict[str, set[str]]) -> str:
    """Say what `ok` means for systems that were compared with nothing known."""
    more = f" and {len(unverified) - NAMED} more" if len(unverified) > NAMED else ""
    several = any(len(implementations) > 1 for implementations in unverified.values())
    agree = " and, warnings aside, agree with each other" if several else ""
    return (
        f"{NOTE}{', '.join(list(unverified)[:NAMED])}{more}: no published result to compare with (no "
        f"checksums, no known answers): `ok` means that they pass the property tests{agree}; `--vectors FILE` checks "
        "against vectors, `--as SYSTEM` against a system known here"
    )


def _grouped(failures: list[Failure]) -> list[tuple[Failure, str]]:
    """Group the failures that differ only in the compiler; return each group's first and a text on the rest."""
    groups: dict[tuple[str, str, str, str], list[Failure]] = {}
    for failure in failures:
        s = failure.subject
        groups.setdefault((s.operation, s.primitive, s.implementation, failure.reason), []).append(failure)
    return [(g[0], f" and {counted(len(g) - 1, 'more compiler')}" if len(g) > 1 else "") for g in groups.values()]
