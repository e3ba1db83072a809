# SPDX-License-Identifier: MIT OR Apache-2.0
"""OpenSSH as installed: calls through each cipher with its MAC, set-ups of sessions by key exchange and host key."""

from __future__ import annotations

import datetime
import importlib.metadata
import random
import sys
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from cyclometer import campaign, host
from cyclometer.compile import Cache
from cyclometer.errors import CyclometerError, NothingToDo, UnknownName
from cyclometer.protocols import openssh
from cyclometer.protocols.openssh import driver
from cyclometer.protocols.openssh.orders import BANNER, PIPE
from cyclometer.protocols.rungs import PROTOCOL, Rung
from cyclometer.protocols.stored import Ladder, read_ladder
from cyclometer.protocols.studies import Findings, Request
from cyclometer.protocols.tables import calls_tables
from cyclometer.records.columns import columns_of
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.run import FORMAT, SAMPLES, RunInfo
from cyclometer.records.table import Column, Row, Table, Value
from cyclometer.records.tuning import Tuning
from cyclometer.store import RunWriter, StoredRun, unused_name

TITLE = "OpenSSH as installed: calls by cipher and MAC, session set-ups by key exchange and host key"

ROUNDS, CALLS = 6, 20
PAYLOADS = (4, 45, 1024, 16384)
USUAL_CIPHER, USUAL_MAC, USUAL_KEX = "aes128-ctr", "hmac-sha2-256", "curve25519-sha256"
AEADS = ("chacha20-poly1305", "aes128-gcm", "aes256-gcm")
"""Ciphers that are a MAC, too."""

HOST_KEYS = {"ed25519": "ssh-ed25519", "ecdsa": "ecdsa-sha2-nistp256", "rsa": "rsa-sha2-256"}
COUNTER = {"name": "perf_counter_ns", "unit": "nanoseconds", "per_second": 1_000_000_000, "chain_cycles": 0}
MEASURE, START = "call-tcp", "handshake-full"


def measure(request: Request, results: Path, progress: campaign.Progress) -> Path:
    """Measure sessions with the algorithms that the systems name, or a useful choice; return the finished run's folder.

    A system is a name of `ssh -Q cipher`, `mac` or `kex`, or a pattern.
    """
    if request.transports not in ((), ("tcp",)) or request.under_way or request.keys or request.apart:
        raise CyclometerError("OpenSSH's calls go over TCP, one at a time, on one core; leave these options out")
    rungs = chosen_rungs(request.systems)
    rounds, payloads = request.rounds or ROUNDS, request.payloads or PAYLOADS
    orders = openssh.Orders(
        rungs=[openssh.Asked(name=rung.layer, options=options_of(rung), calls=_has_calls(rung)) for rung in rungs],
        order=_order(rungs, rounds, request.options.seed),
        payloads=payloads,
        calls=CALLS,
        core=host.measuring_core(),
    )
    with RunWriter.start(results, _info(request.options, rungs, results)) as writer:
        taken = 0
        with progress.stage("measuring sessions", len(orders.order)) as step:
            for session in openssh.sessions(orders):
                taken += _store(writer, rungs[session.rung], session)
                step()
        if not taken:
            reason = next((failure.reason for failure in writer.failures()), "no session ended")
            writer.discard()
            raise NothingToDo(f"no session of OpenSSH works here: {reason}")
        return writer.finish()


def chosen_rungs(names: Sequence[str]) -> list[Rung]:
    """Return the rungs of the named algorithms, ciphers x MACs and key exchanges x host keys; UnknownName for others.

    Without names: every cipher with one MAC, one cipher with every MAC, and every key exchange with every host key.
    """
    known = {kind: _short(openssh.algorithms(kind)) for kind in ("cipher", "mac", "kex")}
    for name in names:
        if not any(fnmatchcase(each, name) for kind in known.values() for each in kind):
            everything = [each for kind in known.values() for each in kind]
            raise UnknownName("algorithm of OpenSSH", name, everything, "`ssh -Q cipher`, `mac` and `kex` list them")
    ciphers, macs, exchanges = ([a for a in kind if _named(a, names)] for kind in known.values())
    if names:
        pairs = [(cipher, mac) for cipher in ciphers or _if(macs, USUAL_CIPHER) for mac in macs or [USUAL_MAC]]
    else:
        pairs = [(cipher, USUAL_MAC) for cipher in ciphers] + [(USUAL_CIPHER, mac) for mac in macs]
    calls = [_rung(SSH_CIPHER=cipher, SSH_MAC="" if cipher in AEADS else mac) for cipher, mac in pairs]
    starts = [_rung(SSH_KEX=exchange, SSH_HOST_KEY=key) for exchange in exchanges for key in HOST_KEYS]
    return [Rung(layer=PIPE), Rung(layer=BANNER), *dict.fromkeys(calls), *starts]


def options_of(rung: Rung) -> dict[str, str]:
    """Return ssh's options for a rung, with the names that the installed ssh has for its algorithms."""
    facts = dict(rung.macros)
    options = {
        name: _full(kind, facts[fact])
        for name, kind, fact in (
            ("Ciphers", "cipher", "SSH_CIPHER"),
            ("MACs", "mac", "SSH_MAC"),
            ("KexAlgorithms", "kex", "SSH_KEX"),
        )
        if facts.get(fact)
    }
    if rung.macros and "KexAlgorithms" not in options:
        options["KexAlgorithms"] = USUAL_KEX
    return options | ({"HostKeyAlgorithms": HOST_KEYS[facts["SSH_HOST_KEY"]]} if "SSH_HOST_KEY" in facts else {})


def findings(run: StoredRun) -> Findings:
    """Return the calls by cipher and MAC, the set-ups of sessions, and both in words."""
    ladder = read_ladder(run)
    called = {name for name, (measure, _, _) in ladder.cells if measure == MEASURE}
    calls = replace(ladder, rungs=tuple(rung for rung in ladder.rungs if rung.name in called))
    tables = [*calls_tables(calls), _start_table(ladder)]
    return Findings(verdict=list(_sentences(ladder)), tables=tables, failures=ladder.failures)


def _short(names: Sequence[str]) -> list[str]:
    """Return names without the domain of who defined them, each once."""
    return list(dict.fromkeys(name.partition("@")[0] for name in names))


def _full(kind: str, short: str) -> str:
    return next(name for name in openssh.algorithms(kind) if name.partition("@")[0] == short)


def _has_calls(rung: Rung) -> bool:
    return rung.layer == PIPE or "SSH_CIPHER" in dict(rung.macros)


def _named(algorithm: str, names: Sequence[str]) -> bool:
    return not names or any(fnmatchcase(algorithm, name) for name in names)


def _if(condition: object, name: str) -> list[str]:
    return [name] if condition else []


def _rung(**macros: str) -> Rung:
    return Rung(layer="ssh", macros=tuple(macros.items()))


def _order(rungs: Sequence[Rung], rounds: int, seed: int) -> list[tuple[int, int, bool]]:
    """Return the sessions of all rounds, each in random order; the controls repeat the pipe and the last calls."""
    drawn = random.Random(seed)
    again = [0, *[index for index, rung in enumerate(rungs) if index and _has_calls(rung)][-1:]]
    order: list[tuple[int, int, bool]] = []
    for number in range(rounds):
        sessions = [(number, index, False) for index in range(len(rungs))] + [(number, index, True) for index in again]
        drawn.shuffle(sessions)
        order += sessions
    return order


def _info(options: campaign.Options, rungs: Sequence[Rung], results: Path) -> RunInfo:
    now = datetime.datetime.now(datetime.UTC)
    info = RunInfo(
        format=FORMAT,
        id=uuid.uuid4().hex,
        run=now.strftime("%Y-%m-%dT%H-%M-%S-protocol-ssh"),
        machine=campaign.named_machine(options.machine, ""),
        started=now,
        finished=None,
        profile=PROTOCOL,
        command=(Path(sys.argv[0]).name, *sys.argv[1:]),
        version=importlib.metadata.version("cyclometer"),
        contracts={PROTOCOL: Cache.key(Path(driver.__file__).read_text(encoding="utf-8"))[:16]},
        counter=COUNTER,
        facts={fact.name: fact.value for fact in host.facts()},
        compilers={},
        primitives={},
        plan={
            "options": asdict(options),
            PROTOCOL: {"study": "ssh", "rungs": [[rung.layer, [], dict(rung.macros)] for rung in rungs]},
        },
    )
    return replace(info, run=unused_name(results, info.machine, info.run))


def _store(writer: RunWriter, rung: Rung, session: openssh.Session) -> int:
    """Store the timings of a session, or why it failed; return how many samples these are."""
    subject = Tuning(operation=PROTOCOL, primitive=rung.name, implementation="openssh", compiler="installed")
    if session.problem:
        if subject not in {failure.subject for failure in writer.failures()}:
            failure = Failure(stage="measure", subject=subject, kind=FailureKind.CALL_FAILED, reason=session.problem)
            writer.add_failures([failure])
        return 0
    series = {(MEASURE, int(payload)): timings for payload, timings in session.series.items()}
    if rung.layer != PIPE:
        series[START, 0] = [session.start]
    rows = [_row(writer.info, subject, session, place, timings) for place, timings in series.items()]
    part = f"{session.round:04d}-{rung.name}{'-control' if session.control else ''}"
    writer.add_samples(part, columns_of(rows, SAMPLES))
    return len(rows)


def _row(
    info: RunInfo, subject: Tuning, session: openssh.Session, place: tuple[str, int], timings: Sequence[int]
) -> dict[str, Any]:
    unknown = ("ad_length", "alignment", "context_switches", "retakes", "tsc")
    probes = ("chain_before", "chain_after", "load_before", "load_after")
    return {
        **dict.fromkeys((*unknown, *probes), 0),
        "run": info.run,
        "machine": info.machine,
        "operation": subject.operation,
        "primitive": subject.primitive,
        "implementation": subject.implementation,
        "compiler": subject.compiler,
        "control": session.control,
        "round": session.round,
        "measure": place[0],
        "length": place[1],
        "keys": 1,
        "counter": COUNTER["name"],
        "series": list(timings),
    }


def _start_table(ladder: Ladder) -> Table:
    base = ladder.cell(Rung(layer=BANNER), START, 0)
    rows = []
    for rung in ladder.rungs:
        if cell := ladder.cell(rung, START, 0):
            more = cell.cycles - base.cycles if base else None
            figures = [Value(value=value / 1e6) if value is not None else None for value in (cell.cycles, more)]
            row = Row(
                operation=PROTOCOL,
                primitive=rung.name,
                implementation="openssh",
                compiler="installed",
                label=rung.name,
                figures=tuple(figures),
            )
            rows.append(row)
    return Table(
        view="protocol-handshake",
        operation=PROTOCOL,
        measure=START,
        title="Milliseconds until the remote program runs: key exchange, host key, login, processes at both ends",
        variable="handshake",
        columns=(Column(label="session", unit="milliseconds"), Column(label="above banner", unit="milliseconds")),
        rows=tuple(rows),
        contexts=(ladder.context,),
        rows_are="rung",
    )


def _sentences(ladder: Ladder) -> Iterator[str]:
    pipe = Rung(layer=PIPE)
    payloads = sorted({payload for measure, payload, _ in ladder.places if measure == MEASURE})
    for payload in payloads:
        base = ladder.cell(pipe, MEASURE, payload)
        found = [(cell.cycles, rung.name) for rung in ladder.rungs if (cell := ladder.cell(rung, MEASURE, payload))]
        ssh = sorted(each for each in found if each[1] != pipe.name)
        if base and ssh:
            (least, quick), (most, slow) = ssh[0], ssh[-1]
            yield (
                f"tcp, {payload} bytes: through OpenSSH a call takes {least / 1e3:.0f} ({quick}) to {most / 1e3:.0f} "
                f"microseconds ({slow}), {least / base.cycles:.1f} to {most / base.cycles:.1f} times as long as "
                "through two pipes"
            )
    starts = sorted(
        (cell.cycles, rung.name)
        for rung in ladder.rungs
        if "SSH_KEX" in dict(rung.macros) and (cell := ladder.cell(rung, START, 0))
    )
    if starts:
        (least, quick), (most, slow) = starts[0], starts[-1]
        yield f"a session takes {least / 1e6:.0f} ({quick}) to {most / 1e6:.0f} milliseconds to begin ({slow})"
