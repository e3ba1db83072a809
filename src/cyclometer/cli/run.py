# SPDX-License-Identifier: MIT OR Apache-2.0
"""cyclometer run"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from cyclometer import pipeline, tree
from cyclometer.cli._options import Results, TimeLimit
from cyclometer.cli._progress import Narrator
from cyclometer.errors import NothingToDo
from cyclometer.store import StoredRun, list_runs, results_folder


def command(
    systems: Annotated[
        list[str] | None, typer.Argument(help="systems, operations or patterns; default: all AEADs")
    ] = None,
    profile: Annotated[str, typer.Option(help="quick, or full: every packet length 0..8192")] = "quick",
    machine: Annotated[str, typer.Option(help="name of this machine in the results")] = "",
    implementation: Annotated[
        list[str] | None, typer.Option(help="only this implementation (repeatable)")
    ] = None,
    compiler: Annotated[list[str] | None, typer.Option(help="only this compiler (repeatable)")] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, max=1000, help="processes per system; default: the profile's")
    ] = None,
    patience: Annotated[
        float, typer.Option(min=0, help="seconds a process may spend waiting for quiet moments")
    ] = 0.2,
    seed: Annotated[int | None, typer.Option(min=0, help="fixes orders and inputs; default: random")] = None,
    time_limit: TimeLimit = 60.0,
    resume: Annotated[bool, typer.Option("--resume", help="finish the latest interrupted run")] = False,
    tables: Annotated[bool, typer.Option(help="print the tables at the end")] = True,
    results: Results = None,
) -> None:
    """Build, check, tune and measure; store a run and print its tables."""
    narrator = Narrator()
    folder = results_folder(results)
    options = pipeline.Options(
        systems=tuple(systems or ()),
        profile=profile,
        machine=machine or socket.gethostname(),
        implementations=tuple(implementation or ()),
        compilers=tuple(compiler or ()),
        rounds=rounds,
        patience_ms=round(patience * 1000),
        seed=secrets.randbelow(1 << 32) if seed is None else seed,
        check_seconds=time_limit,
    )
    interrupted = _interrupted(folder, options.machine) if resume else None
    bench = _bench(interrupted, options.systems)
    for failure in bench.failures:
        narrator.say(f"without {failure.subject.compiler}: {failure.reason}")
    if interrupted:
        done = pipeline.resume(bench, interrupted.folder, narrator)
    else:
        done = pipeline.run(bench, options, folder, narrator)
    narrator.say(f"stored {done}")
    if tables:
        from cyclometer.cli.table import command as table  # noqa: PLC0415 - reading results only when asked

        table(run=[done.name], results=results)


def _bench(interrupted: StoredRun | None, systems: Sequence[str]) -> pipeline.Bench:
    """A resumed run goes on with the systems and the counter it has."""
    if interrupted and interrupted.info:
        return pipeline.prepare(tree.root(), counter=interrupted.info.counter["name"])
    return pipeline.prepare(tree.root(), systems=systems)


def _interrupted(results: Path, machine: str) -> StoredRun:
    runs = [run for run in list_runs(results) if run.state == "interrupted" and run.machine == machine]
    if not runs:
        raise NothingToDo(
            f"no interrupted run of {machine} in {results}; `cyclometer runs` lists what is there"
        )
    return max(runs, key=lambda run: run.run)
