# SPDX-License-Identifier: MIT OR Apache-2.0
"""What studies of other people's programs share: sessions that a driver makes, stored like any other samples."""

from __future__ import annotations

import datetime
import importlib.metadata
import random
import sys
import uuid
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cyclometer import campaign, host
from cyclometer.compile import Cache
from cyclometer.errors import NothingToDo
from cyclometer.protocols import driven
from cyclometer.protocols.rungs import Rung
from cyclometer.protocols.stored import Ladder
from cyclometer.protocols.studies import Request
from cyclometer.records.columns import columns_of
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.run import FORMAT, PROTOCOL, SAMPLES, RunInfo
from cyclometer.records.table import Column, Row, Table, Value
from cyclometer.records.tuning import Tuning
from cyclometer.store import RunWriter

ROUNDS, CALLS = 6, 20
START = "handshake-full"
COUNTER = {"name": "perf_counter_ns", "unit": "nanoseconds", "per_second": 1_000_000_000, "chain_cycles": 0}


@dataclass(frozen=True, kw_only=True)
class Program:
    """What is driven: the study, its driver in protocols/driven, and what stands for the implementation."""

    study: str
    driver: str
    implementation: str
    options: Callable[[Rung], dict[str, str]]
    has_calls: Callable[[Rung], bool]
    transports: tuple[str, ...]
    payloads: tuple[int, ...]


def measure_sessions(
    program: Program, rungs: Sequence[Rung], request: Request, results: Path, progress: campaign.Progress
) -> Path:
    """Measure sessions of all rungs in rounds of random order; return the folder of the finished run."""
    orders = driven.Orders(
        rungs=[
            driven.Asked(name=rung.name, options=program.options(rung), calls=program.has_calls(rung)) for rung in rungs
        ],
        order=_order(rungs, program.has_calls, request.rounds or ROUNDS, request.options.seed),
        payloads=request.payloads or program.payloads,
        transports=request.transports or program.transports,
        calls=CALLS,
        core=host.measuring_core(),
    )
    with RunWriter.start_numbered(results, _info(program, request.options, rungs)) as writer:
        taken = 0
        with progress.stage("measuring sessions", len(orders.order)) as step:
            for session in driven.sessions(program.driver, orders):
                taken += _store(program, writer, rungs[session.rung], session)
                step()
        if not taken:
            reason = next((failure.reason for failure in writer.failures()), "no session ended")
            writer.discard()
            raise NothingToDo(f"no session works here: {reason}")
        return writer.finish()


def start_table(ladder: Ladder, control: Rung, title: str) -> Table:
    """Return what sessions took to begin, in milliseconds, and how much of that is above a control."""
    base = ladder.cell(control, START, 0)
    rows = []
    for rung in ladder.rungs:
        if cell := ladder.cell(rung, START, 0):
            more = cell.cycles - base.cycles if base else None
            figures = [None if value is None else Value(value=value / 1e6) for value in (cell.cycles, more)]
            row = Row(
                operation=PROTOCOL,
                primitive=rung.name,
                implementation=cell.subject.implementation,
                compiler=cell.subject.compiler,
                label=rung.name,
                figures=tuple(figures),
            )
            rows.append(row)
    return Table(
        view="protocol-handshake",
        operation=PROTOCOL,
        measure=START,
        title=title,
        variable="handshake",
        columns=tuple(Column(label=label, unit="milliseconds") for label in ("session", f"above {control.name}")),
        rows=tuple(rows),
        contexts=(ladder.context,),
        rows_are="rung",
    )


def _order(
    rungs: Sequence[Rung], has_calls: Callable[[Rung], bool], rounds: int, seed: int
) -> list[tuple[int, int, bool]]:
    """Return the sessions of all rounds, each in random order; the first and the last rung with calls run twice."""
    drawn = random.Random(seed)
    called = [index for index, rung in enumerate(rungs) if has_calls(rung)]
    again = dict.fromkeys([*called[:1], *called[-1:]])
    order: list[tuple[int, int, bool]] = []
    for number in range(rounds):
        sessions = [(number, index, False) for index in range(len(rungs))] + [(number, index, True) for index in again]
        drawn.shuffle(sessions)
        order += sessions
    return order


def _info(program: Program, options: campaign.Options, rungs: Sequence[Rung]) -> RunInfo:
    now = datetime.datetime.now(datetime.UTC)
    sources = sorted(Path(driven.__file__).parent.glob("*.py"))
    return RunInfo(
        format=FORMAT,
        id=uuid.uuid4().hex,
        run=now.strftime(f"%Y-%m-%dT%H-%M-%S-protocol-{program.study}"),
        machine=campaign.named_machine(options.machine, ""),
        started=now,
        finished=None,
        profile=PROTOCOL,
        command=(Path(sys.argv[0]).name, *sys.argv[1:]),
        version=importlib.metadata.version("cyclometer"),
        contracts={PROTOCOL: Cache.key([source.read_text(encoding="utf-8") for source in sources])[:16]},
        counter=COUNTER,
        facts={fact.name: fact.value for fact in host.facts()},
        compilers={},
        primitives={},
        plan={
            "options": asdict(options),
            PROTOCOL: {"study": program.study, "rungs": [[rung.layer, [], dict(rung.macros)] for rung in rungs]},
        },
    )


def _store(program: Program, writer: RunWriter, rung: Rung, session: driven.Session) -> int:
    """Store the timings of a session, or why it failed; return how many samples these are."""
    subject = Tuning(
        operation=PROTOCOL, primitive=rung.name, implementation=program.implementation, compiler="installed"
    )
    if session.problem:
        if subject not in {failure.subject for failure in writer.failures()}:
            failure = Failure(stage="measure", subject=subject, kind=FailureKind.CALL_FAILED, reason=session.problem)
            writer.add_failures([failure])
        return 0
    rows = [_row(writer.info, subject, session, place, timings) for place, timings in session.series.items()]
    part = f"{session.round:04d}-{rung.name}{'-control' if session.control else ''}"
    writer.add_samples(part, columns_of(rows, SAMPLES))
    return len(rows)


def _row(info: RunInfo, subject: Tuning, session: driven.Session, place: str, timings: Sequence[int]) -> dict[str, Any]:
    measure, _, payload = place.partition(":")
    unknown = ("ad_length", "alignment", "context_switches", "retakes", "tsc")
    probes = ("chain_before", "chain_after", "load_before", "load_after")
    return {
        **dict.fromkeys((*unknown, *probes), 0),
        "run": info.run,
        "machine": info.machine,
        **asdict(subject),
        "control": session.control,
        "round": session.round,
        "measure": measure,
        "length": int(payload),
        "keys": 1,
        "counter": COUNTER["name"],
        "series": list(timings),
    }
