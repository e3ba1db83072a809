# SPDX-License-Identifier: MIT OR Apache-2.0
"""The ladder: plain RPC, null layer, MAC, MAC and cipher, AEAD, over several transports, with predictions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cyclometer import campaign, paths
from cyclometer.discover import first_answer
from cyclometer.errors import CyclometerError, UnknownName
from cyclometer.protocols.bars import ladder_bars
from cyclometer.protocols.predict import ALLOCATED_LENGTH, COPIED_LENGTH
from cyclometer.protocols.run import ROUNDS, Grid, run_ladder
from cyclometer.protocols.rungs import DEFAULT_SYSTEMS, ladder
from cyclometer.protocols.stored import read_ladder
from cyclometer.protocols.studies import Findings, Request
from cyclometer.protocols.tables import ladder_tables
from cyclometer.protocols.words import verdict
from cyclometer.store import StoredRun

TITLE = "remote procedure calls, rung by rung, and what isolated speeds predict for them"
PREDICTS = True

TRANSPORTS = ("queue", "unix", "tcp", "udp")
DEFAULT_TRANSPORTS = ("queue", "tcp")
DEFAULT_PAYLOADS = (4, 45)  # Roe's integer and his string
MAX_PAYLOAD = 1 << 20
MAX_UNDER_WAY, MAX_KEYS = 64, 1024


def measure(request: Request, results: Path, progress: campaign.Progress) -> Path:
    """Measure a ladder; return the folder of the finished run."""
    grid = grid_of(request)
    environment = campaign.prepare_environment(paths.root())
    rungs = ladder(environment.catalogue, request.systems or DEFAULT_SYSTEMS, request.mac, formats=request.formats)
    if not request.all_compilers:
        environment = replace(environment, catalogue=first_answer(environment.catalogue))
    return run_ladder(environment, request.options, rungs, grid, results, progress, study="ladder")


def findings(run: StoredRun) -> Findings:
    """Return the verdict and the tables of a ladder."""
    read = read_ladder(run)
    return Findings(
        verdict=verdict(read), tables=ladder_tables(read), failures=read.failures, pictures=ladder_bars(read)
    )


def grid_of(request: Request) -> Grid:
    """Return what is measured of each rung; CyclometerError for what the client cannot do."""
    transports, payloads = request.transports or DEFAULT_TRANSPORTS, request.payloads or DEFAULT_PAYLOADS
    for transport in transports:
        if transport not in TRANSPORTS:
            raise UnknownName("transport", transport, TRANSPORTS, f"there are {', '.join(TRANSPORTS)}")
    _require("--payload", payloads, 0, MAX_PAYLOAD)
    _require("--in-flight", request.under_way, 1, MAX_UNDER_WAY)
    _require("--keys", request.keys, 1, MAX_KEYS)
    lengths = f"length={','.join(map(str, payloads))}"
    lines = []
    for transport in transports:
        options = [f"-{count}" if count > 1 else "" for count in request.under_way or (1,)]
        options += [f"{option}-apart" for option in options if request.apart and transport != "queue"]
        keys = f" keys={','.join(map(str, request.keys))}" if request.keys else ""
        lines += [f"call-{transport}{option} {lengths}{keys} repetition=1-6" for option in dict.fromkeys(options)]
        lines.append(f"inside-{transport} {lengths} repetition=1-4")
    lines += [f"once-queue {lengths} repetition=1-4", f"twice-queue {lengths} repetition=1-4"]
    lines += [f"copy length=0,{COPIED_LENGTH} repetition=1-2", f"allocation length={ALLOCATED_LENGTH} repetition=1-2"]
    lines += [f"{name} repetition=1-2" for name in ("direct", "indirect", "system")]
    return Grid(
        lines=tuple(lines), payloads=tuple(payloads), transports=tuple(transports), rounds=request.rounds or ROUNDS
    )


def _require(option: str, values: tuple[int, ...], least: int, most: int) -> None:
    for value in values:
        if not least <= value <= most:
            raise CyclometerError(f"{option} {value} is out of range; give a number from {least} to {most}")
