# SPDX-License-Identifier: MIT OR Apache-2.0
"""TLS 1.3, TLS 1.2 and DTLS 1.2 by OpenSSL: suites around the same calls, handshakes beside their primitives."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from cyclometer import campaign
from cyclometer.analyse import Cell
from cyclometer.errors import CyclometerError
from cyclometer.protocols.run import run_ladder
from cyclometer.protocols.rungs import NULL, PLAIN, Rung
from cyclometer.protocols.stored import Ladder, read_ladder
from cyclometer.protocols.studies import Findings, Request
from cyclometer.protocols.studies._calls import calls_grid, environment_of_layers
from cyclometer.protocols.tables import calls_tables, error_of_cell, per_second
from cyclometer.records.run import PROTOCOL
from cyclometer.records.table import PERCENT, Column, Row, Table, Value
from cyclometer.store import StoredRun

TITLE = "TLS 1.3, TLS 1.2 and DTLS 1.2 by OpenSSL: calls by suite, handshakes by key exchange and signature"

TRANSPORTS = ("queue", "unix", "tcp", "udp")
DEFAULT_TRANSPORTS = ("queue", "tcp")
SUITES = {
    "tls1.3": ("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"),
    "tls1.2": ("ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES128-SHA"),
    "dtls1.2": ("ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA256"),
}
GROUPS = ("X25519", "P-256")
SIGNATURES = ("EC:P-256", "RSA:2048", "ED25519")
USUAL = (GROUPS[0], SIGNATURES[0])
OLDER = (
    ("tls1.2", "ECDHE-ECDSA-AES128-GCM-SHA256", *USUAL),
    ("tls1.2", "ECDHE-RSA-AES128-GCM-SHA256", GROUPS[0], "RSA:2048"),
    ("dtls1.2", "ECDHE-ECDSA-AES128-GCM-SHA256", *USUAL),
)
"""Handshakes of older versions, in which the suite names the kind of signature."""

PRIMITIVES = {"generate": 2, "derive": 2, "sign": 1, "verify": 2}
"""A full handshake has a key pair and a shared secret at each end, a signature, its verification and the chain's."""


def measure(request: Request, results: Path, progress: campaign.Progress) -> Path:
    """Measure all suites and handshakes; return the folder of the finished run."""
    if request.systems:
        raise CyclometerError("the suites are OpenSSL's; leave out the systems")
    grid = calls_grid(request, TRANSPORTS, DEFAULT_TRANSPORTS)
    shakes = ["handshake-full", "handshake-resumed", *(f"primitive-{name}" for name in PRIMITIVES)]
    suites, rungs = _suites(), list(dict.fromkeys(_suites() + _handshakes()))
    by_rung = {rung.name: (*shakes, *(grid.lines if rung in suites else ())) for rung in _handshakes()}
    grid = replace(grid, by_rung=by_rung)
    return run_ladder(environment_of_layers(), request.options, rungs, grid, results, progress, study="tls")


def findings(run: StoredRun) -> Findings:
    """Return the calls by suite, and each handshake beside the sum of its primitives."""
    ladder = read_ladder(run)
    shaken = [rung for rung in ladder.rungs if ladder.cell(rung, "handshake-full", 0)]
    called = {name for name, (measure, _, _) in ladder.cells if measure.startswith("call-")}
    calls = replace(ladder, rungs=tuple(rung for rung in ladder.rungs if rung.name in called))
    tables = [*calls_tables(calls), *([_handshake_table(ladder, shaken)] if shaken else [])]
    return Findings(verdict=[_in_words(ladder, rung) for rung in shaken], tables=tables, failures=ladder.failures)


def _suites() -> list[Rung]:
    return [PLAIN, NULL, *(_rung(kind, suite, *USUAL) for kind, suites in SUITES.items() for suite in suites)]


def _handshakes() -> list[Rung]:
    """Return a rung for each key exchange and signature of TLS 1.3, whose suite hardly matters, and the older ones."""
    suite = SUITES["tls1.3"][1]
    newest = [_rung("tls1.3", suite, group, signature) for group in GROUPS for signature in SIGNATURES]
    return newest + [_rung(*older) for older in OLDER]


def _name(rung: Rung) -> str:
    facts = dict(rung.macros)
    return f"{facts['TLS_KIND']}, {facts['TLS_GROUP']} x {facts['TLS_SIGNATURE']}"


def _rung(kind: str, suite: str, group: str, signature: str) -> Rung:
    macros = {"TLS_KIND": kind, "TLS_SUITE": suite, "TLS_GROUP": group, "TLS_SIGNATURE": signature}
    return Rung(layer="tls", macros=tuple(macros.items()))


def _parts(ladder: Ladder, rung: Rung) -> dict[str, Value]:
    found = {name: ladder.cell(rung, f"primitive-{name}", 0) for name in PRIMITIVES}
    return {name: _cycles(ladder, cell, PRIMITIVES[name]) for name, cell in found.items() if cell}


def _cycles(ladder: Ladder, cell: Cell, times: int = 1) -> Value:
    return Value(value=cell.cycles * times, error=error_of_cell(ladder, cell) * times)


def _sum(values: Iterable[Value]) -> Value:
    """Return a sum; its error is the root of the sum of squares."""
    values = list(values)
    total = sum(float(each.value) for each in values)
    return Value(value=total, error=math.hypot(*(each.error or 0.0 for each in values)))


def _handshake_table(ladder: Ladder, rungs: Sequence[Rung]) -> Table:
    unit = ladder.context.unit
    names = ("full", "resumed", *(f"{PRIMITIVES[name]} {name}" for name in PRIMITIVES), "sum", "rest")
    columns = [Column(label=name, unit=unit) for name in names]
    columns += [Column(label="rest %", unit=PERCENT), Column(label="full/s", unit="handshakes/s")]
    rows = [
        Row(
            operation=PROTOCOL,
            primitive=rung.name,
            implementation="",
            compiler="",
            label=_name(rung).removeprefix("tls1.3, "),
            figures=_figures(ladder, rung),
        )
        for rung in rungs
    ]
    return Table(
        view="protocol-handshake",
        operation=PROTOCOL,
        measure="handshake-full",
        title=f"Handshakes by OpenSSL, both ends, {unit}, beside the sum of their primitives: TLS 1.3 unless named",
        variable="handshake",
        columns=tuple(columns),
        rows=tuple(rows),
        contexts=(ladder.context,),
        rows_are="handshake",
    )


def _figures(ladder: Ladder, rung: Rung) -> tuple[Value | None, ...]:
    full, resumed = (ladder.cell(rung, f"handshake-{kind}", 0) for kind in ("full", "resumed"))
    assert full
    parts = _parts(ladder, rung)
    total = _sum(parts.values())
    rest = _sum([_cycles(ladder, full), Value(value=-float(total.value), error=total.error)])
    return (
        _cycles(ladder, full),
        _cycles(ladder, resumed) if resumed else None,
        *(parts.get(name) for name in PRIMITIVES),
        total,
        rest,
        Value(value=100 * float(rest.value) / full.cycles),
        per_second(ladder, full),
    )


def _in_words(ladder: Ladder, rung: Rung) -> str:
    full, resumed = (ladder.cell(rung, f"handshake-{kind}", 0) for kind in ("full", "resumed"))
    assert full
    share = 100 * float(_sum(_parts(ladder, rung).values()).value) / full.cycles
    again = f"; resumed it takes {100 * resumed.cycles / full.cycles:.0f} % of the time" if resumed else ""
    return f"{_name(rung)}: its primitives are {share:.0f} % of the handshake{again}"
