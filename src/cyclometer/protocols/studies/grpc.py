# SPDX-License-Identifier: MIT OR Apache-2.0
"""gRPC's own library at both ends, in the clear and over TLS, beside plain sockets in the same language."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

from cyclometer import campaign
from cyclometer.analyse import no_difference_seen
from cyclometer.errors import CyclometerError, MachineUnfit, UnknownName
from cyclometer.protocols.driven.grpc_library import CLEAR, SOCKET, TLS
from cyclometer.protocols.rungs import Rung
from cyclometer.protocols.stored import Ladder, read_ladder
from cyclometer.protocols.studies import Findings, Request
from cyclometer.protocols.studies._sessions import Program, measure_sessions, start_table
from cyclometer.protocols.tables import calls_tables
from cyclometer.store import StoredRun

TITLE = "the library of gRPC at both ends, in the clear and over TLS, beside plain sockets"

TRANSPORTS = ("tcp", "unix")
RUNGS = tuple(Rung(layer=kind) for kind in (SOCKET, CLEAR, TLS))
STARTS = "Milliseconds until a connection over TCP is ready for calls"


def measure(request: Request, results: Path, progress: campaign.Progress) -> Path:
    """Measure calls through gRPC's library; return the folder of the finished run."""
    if importlib.util.find_spec("grpc") is None:
        raise MachineUnfit("grpcio is not installed; pip install 'cyclometer[protocols]'")
    if request.systems:
        raise CyclometerError("the layers are gRPC's own; leave out the systems")
    if request.under_way or request.keys or request.apart:
        raise CyclometerError("gRPC's calls are made one at a time, on one core; leave these options out")
    for transport in request.transports:
        if transport not in TRANSPORTS:
            raise UnknownName("transport of gRPC", transport, TRANSPORTS, f"there are {', '.join(TRANSPORTS)}")
    program = Program(
        study="grpc",
        driver="grpc_library",
        implementation="grpcio",
        options=lambda rung: {},
        has_calls=lambda rung: True,
        transports=TRANSPORTS,
        payloads=(4, 45, 1024, 16384),
    )
    return measure_sessions(program, RUNGS, request, results, progress)


def findings(run: StoredRun) -> Findings:
    """Return the calls through gRPC, the set-ups of its connections, and both in words."""
    ladder = read_ladder(run)
    tables = [*calls_tables(ladder), start_table(ladder, RUNGS[0], STARTS)]
    return Findings(verdict=list(_sentences(ladder)), tables=tables, failures=ladder.failures)


def _sentences(ladder: Ladder) -> Iterator[str]:
    for measure, payload, _ in ladder.places:
        socket, clear, sealed = (ladder.cell(rung, measure, payload) for rung in RUNGS)
        where = f"{measure.removeprefix('call-')}, {payload} bytes"
        if socket and clear and socket.cycles > 0:
            times = f"{clear.cycles / socket.cycles:.1f} times as long as over a socket"
            yield f"{where}: a call through gRPC takes {clear.cycles / 1e3:.0f} microseconds, {times}"
        if clear and sealed:
            more = f"TLS adds {100 * (sealed.cycles / clear.cycles - 1):.0f} % to that"
            is_tie = no_difference_seen(clear, sealed, ladder.spreads.get(measure))
            yield f"{where}: {'no difference seen over TLS' if is_tie else more}"
