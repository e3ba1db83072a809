# SPDX-License-Identifier: MIT OR Apache-2.0
"""HTTP/2 by nghttp2, gRPC's messages on top of it, both in the clear and over TLS 1.3, around the same calls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cyclometer import campaign
from cyclometer.errors import CyclometerError
from cyclometer.protocols.run import run_ladder
from cyclometer.protocols.rungs import IN_THE_CLEAR, NULL, PLAIN, Rung
from cyclometer.protocols.stored import Ladder, read_ladder
from cyclometer.protocols.studies import Findings, Request
from cyclometer.protocols.studies._calls import calls_grid, environment_of_layers
from cyclometer.protocols.tables import calls_tables
from cyclometer.store import StoredRun

TITLE = "HTTP/2 and gRPC by nghttp2, in the clear and over TLS 1.3"

TRANSPORTS = ("queue", "unix", "tcp")  # HTTP/2 needs a stream
DEFAULT_TRANSPORTS = ("queue", "tcp")
TLS = {
    "TLS_KIND": "tls1.3",
    "TLS_SUITE": "TLS_AES_128_GCM_SHA256",
    "TLS_GROUP": "X25519",
    "TLS_SIGNATURE": "EC:P-256",
}
CLEAR = {**dict.fromkeys(TLS, ""), "TLS_KIND": IN_THE_CLEAR}


def rung(layer: str, macros: dict[str, str]) -> Rung:
    """Return the rung of a layer, over TLS or in the clear."""
    return Rung(layer=layer, macros=tuple(macros.items()))


RUNGS = (PLAIN, NULL, rung("tls", TLS), *(rung(layer, kind) for layer in ("http2", "grpc") for kind in (CLEAR, TLS)))


def measure(request: Request, results: Path, progress: campaign.Progress) -> Path:
    """Measure calls through every layer; return the folder of the finished run."""
    if request.systems:
        raise CyclometerError("the layers are nghttp2's and OpenSSL's; leave out the systems")
    grid = calls_grid(request, TRANSPORTS, DEFAULT_TRANSPORTS, "transport of HTTP/2")
    return run_ladder(environment_of_layers(), request.options, RUNGS, grid, results, progress, study="http2")


def findings(run: StoredRun) -> Findings:
    """Return the calls through every layer, and what each layer adds in words."""
    ladder = read_ladder(run)
    return Findings(verdict=list(_sentences(ladder)), tables=calls_tables(ladder), failures=ladder.failures)


def _sentences(ladder: Ladder) -> Iterator[str]:
    for measure, payload, _ in ladder.places:
        cells = [ladder.cell(each, measure, payload) for each in (rung("http2", CLEAR), rung("http2", TLS), NULL)]
        clear, sealed, null = (cell.cycles if cell else 0.0 for cell in cells)
        where = f"{measure.removeprefix('call-')}, {payload} bytes"
        if clear and null:
            yield f"{where}: HTTP/2 in the clear takes {clear / null:.1f} times as long as the null layer"
        if clear and sealed:
            yield f"{where}: over TLS it takes {100 * (sealed / clear - 1):.0f} % longer than in the clear"
        framed = ladder.cell(rung("grpc", CLEAR), measure, payload)
        if framed and clear:
            yield f"{where}: gRPC's messages and trailers add {100 * (framed.cycles / clear - 1):.0f} % to HTTP/2"
