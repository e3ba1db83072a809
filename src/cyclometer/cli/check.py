# SPDX-License-Identifier: MIT OR Apache-2.0
"""cyclometer check"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from cyclometer import campaign, paths
from cyclometer.check import VectorFile, all_requests, check_vectors, read_vectors, validate
from cyclometer.cli._constant_time import print_verdicts
from cyclometer.cli._json import Format, print_json, wants_json
from cyclometer.cli._options import TimeLimit, Tree
from cyclometer.cli._progress import ProgressReporter
from cyclometer.discover import read_operations, select
from cyclometer.errors import BadVectors
from cyclometer.execute.sandbox import from_first_error
from cyclometer.records.catalogue import Catalogue
from cyclometer.records.executable import Executable
from cyclometer.records.failure import UNAVAILABLE, Failure, Severity
from cyclometer.records.tuning import Tuning

NAMED = 3  # primitives in one remark
NOTE = "note    "


def command(
    systems: Annotated[
        list[str] | None, typer.Argument(help="systems, operations or patterns, or one folder; default: all AEADs")
    ] = None,
    vectors: Annotated[
        Path | None, typer.Option(help="also check these vectors, through every tuning (docs/vectors.md)")
    ] = None,
    implementation: Annotated[list[str] | None, typer.Option(help="only this implementation (repeatable)")] = None,
    compiler: Annotated[list[str] | None, typer.Option(help="only this compiler (repeatable)")] = None,
    toolchain: Annotated[str, typer.Option(help="a check-only toolchain: sanitizers, s390x, armhf")] = "",
    follow_secrets: Annotated[
        bool, typer.Option("--constant-time", help="follow the secrets instead: docs/constant-time.md")
    ] = False,
    foreign: Tree = None,
    time_limit: TimeLimit = 60.0,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="the compiler's or program's last words too")
    ] = False,
    format: Format = "terminal",
) -> None:
    """Build every tuning and check it; exit status 1 when one is wrong, or leaks secrets without declaring it."""
    as_json = wants_json(format)
    file = read_vectors(vectors, read_operations(paths.root())) if vectors else None
    foreign, systems = _folder(foreign, systems or [])
    names = _systems(systems, file)
    options = campaign.Options(
        systems=tuple(names),
        implementations=tuple(implementation or ()),
        compilers=tuple(compiler or ()),
        toolchain=toolchain,
        check_seconds=time_limit,
        tree=str(foreign or ""),
    )
    reporter = ProgressReporter()
    if follow_secrets:
        return print_verdicts(options, as_json=as_json)
    environment = campaign.prepare_environment(paths.root(), toolchain, names, foreign=options.tree)
    reporter.say_origin(environment)
    if file:
        for primitive in select(environment.catalogue, names):
            validate(file, environment.catalogue.operations[file.operation], primitive)
    right, failures = campaign.check(environment, options, reporter)
    asked: list[Executable] = []
    if file:
        asked = [e for e in right if e.subject.operation == file.operation]
        questions = all_requests(file, environment.catalogue.operations[file.operation])
        wrong = [check_vectors(e, questions, time_limit) for e in asked]
        failures += [failure for failure in wrong if failure]
    remarks = [*_asked(file, len(asked)), *_remark(right, environment.catalogue, asked)]
    if as_json:
        print_json(_content(right, failures, remarks))
    else:
        _print(right, failures, verbose, remarks)
    if any(_is_wrong(failure) for failure in failures) or not right:
        raise typer.Exit(1)


def _folder(foreign: Path | None, systems: list[str]) -> tuple[Path | None, list[str]]:
    """`cyclometer check DIR`: a folder in the place of a system is a foreign tree."""
    if not foreign and len(systems) == 1 and Path(systems[0]).is_dir():
        return Path(systems[0]), []
    return foreign, systems


def _systems(systems: list[str], file: VectorFile | None) -> list[str]:
    """With vectors, the system is looked for in the operation that the file names."""
    if not file:
        return systems
    if len(systems) > 1:
        raise BadVectors(f"{file.path} belongs to one system; {len(systems)} are named")
    name = systems[0] if systems else file.system
    return [name if "/" in name else f"{file.operation}/{name}"]


def _is_wrong(failure: Failure) -> bool:
    unfit = failure.severity is Severity.WARNING or failure.kind in UNAVAILABLE
    return bool(failure.subject.implementation) and not unfit


def _passed(right: list[Executable], failures: list[Failure]) -> list[Tuning]:
    wrong = {failure.subject for failure in failures if failure.severity is not Severity.WARNING}
    return [executable.subject for executable in right if executable.subject not in wrong]


def _verdict(failure: Failure) -> str:
    if _is_wrong(failure):
        return "WRONG"
    return "warning" if failure.severity is Severity.WARNING else "without"


def _content(right: list[Executable], failures: list[Failure], remarks: list[str]) -> dict[str, Any]:
    """As records; `wrong` is what makes the exit status 1."""
    return {
        "ok": [asdict(subject) for subject in _passed(right, failures)],
        "failures": [{"verdict": _verdict(failure).lower(), **asdict(failure)} for failure in failures],
        "notes": [line.removeprefix(NOTE) for line in remarks],
    }


def _print(right: list[Executable], failures: list[Failure], verbose: bool, remarks: list[str]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    passed = Counter(replace(subject, compiler="") for subject in _passed(right, failures))
    for subject, count in passed.items():
        console.print(f"ok      {subject} ({count} compiler{'s' if count > 1 else ''})", markup=False)
    for failure, compilers in _grouped(failures):
        console.print(f"{_verdict(failure):6} {failure.subject}{compilers}: {failure.reason}", markup=False)
        if failure.detail and (words := failure.detail if verbose else _first_error(failure)):
            console.print(words, markup=False)
    for line in remarks:
        console.print(line, markup=False)


def _asked(file: VectorFile | None, tunings: int) -> list[str]:
    return [f"{len(file.vectors)} vectors of {file.path.name} through {tunings} tunings"] if file else []


def _first_error(failure: Failure) -> str:
    """Of a compiler's or a linker's words, the line that mostly tells it all."""
    words = from_first_error(failure.detail) if failure.stage == "build" else ""
    return f"        {words.splitlines()[0].strip()}" if words else ""


def _remark(right: list[Executable], catalogue: Catalogue, asked: list[Executable]) -> list[str]:
    """Laws cannot tell one cipher from another: says of what no published result was asked."""
    unknown: dict[str, set[str]] = {}
    for executable in right:
        subject, foreign = executable.subject, executable.implementation.foreign
        key = f"{subject.operation}/{subject.primitive}"
        if foreign and not any(expected for _, expected in foreign.oracle) and not catalogue.primitives[key].vectors:
            unknown.setdefault(key, set()).add(subject.implementation)
    for executable in asked:
        unknown.pop(f"{executable.subject.operation}/{executable.subject.primitive}", None)
    if not unknown:
        return []
    names = ", ".join(list(unknown)[:NAMED]) + (f" and {len(unknown) - NAMED} more" if len(unknown) > NAMED else "")
    agree = " and, but for warnings, agree with each other" if any(len(those) > 1 for those in unknown.values()) else ""
    return [
        f"{NOTE}{names}: nothing says what must be computed (no checksums, no known answers): `ok` means that they "
        f"keep the laws{agree}; `--vectors FILE` asks for results"
    ]


def _grouped(failures: list[Failure]) -> list[tuple[Failure, str]]:
    """Failures that differ only in the compiler are one line."""
    groups: dict[tuple[str, str, str, str], list[Failure]] = {}
    for failure in failures:
        s = failure.subject
        groups.setdefault((s.operation, s.primitive, s.implementation, failure.reason), []).append(failure)
    return [(g[0], f" and {len(g) - 1} more compilers" if len(g) > 1 else "") for g in groups.values()]
