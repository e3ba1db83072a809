# SPDX-License-Identifier: MIT OR Apache-2.0
"""One timed process: the grid goes in as arguments, sample records come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from cyclometer.execute import keypair_cache, sandbox
from cyclometer.execute.page_copies import PageCopies
from cyclometer.execute.timed import PreparedCall
from cyclometer.measure.noise_floor import NoiseFloor
from cyclometer.measure.repeat import Repeater
from cyclometer.records.columns import INT16, INT32, INT64, INT64_LIST, TEXT, Columns, Types, array_of, with_constants
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.grid import POINT, points_of
from cyclometer.records.placement import PLACEMENT
from cyclometer.records.run import EMPTY, MIX, REPLAY, SAMPLES, SERIES_TIMINGS, Batch

PAGE = 4096
REPEATING = 3  # times the time limit of a measurement, for a process that repeats its calls: it prepares each anew
_OWN_GRID = (f"{MIX} ", REPLAY)  # lines of mixes, whose points follow from the packets of a workload

RECORD: Types = {
    "record": TEXT,
    "measure": TEXT,
    "length": INT32,
    "ad_length": INT32,
    "keys": INT32,
    "alignment": INT16,
    "counter": TEXT,
    "context_switches": INT16,
    "retakes": INT16,
    "tsc": INT64,
    "chain_before": INT32,
    "chain_after": INT32,
    "load_before": INT32,
    "load_after": INT32,
    "series": INT64_LIST,
    "repetition": INT32,
    "number": INT32,  # of the series among those taken for a sample
    "first": INT32,  # number of the first timing in its series
    "inputs": INT32,
    "outputs": TEXT,
}
"""The fields of a `sample` record, docs/harness.md."""


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a process has measured, and what repeats its calls."""

    executable: Executable
    samples: Columns  # of RECORD
    chain_cycles: int
    repeater: Repeater
    layout: int = 0  # in which the executable was timed


@dataclass(frozen=True, kw_only=True)
class NotTimed:
    """Why a process returned no samples."""

    failure: Failure
    measure: str  # the measure under way, or '' if unknown


@dataclass(frozen=True, kw_only=True)
class Request:
    """What one process measures.

    `seed` orders the samples, `input_seed` draws their inputs, and a series has `timings`. The process may wait
    `patience_ms` for quiet moments, and take more samples of what varies for `varying_ms`.
    """

    executable: Executable
    grid: tuple[str, ...]
    seed: int
    input_seed: int
    patience_ms: int
    seconds: float  # time limit
    timings: int = SERIES_TIMINGS
    varying_ms: int = 0
    layout: int = 0  # in which the executable is timed


def started(
    request: Request, *, noise_floor: float, dither_cycles: int, core: int | None, copies: PageCopies | None
) -> PreparedCall:
    """Start a process for a request, which waits until it may begin. It reads its files from `copies`."""
    executable = request.executable
    return PreparedCall(
        executable.in_layout(request.layout),
        "measure",
        *_arguments(request, noise_floor, dither_cycles),
        limits=_limits(executable, request.seconds),
        cpu=core,
        copies=copies,
    )


def measured(
    request: Request,
    outcome: sandbox.Outcome,
    *,
    noise_floor: NoiseFloor,
    dither_cycles: int,
    core: int | None,
    copies: PageCopies | None,
) -> Measured | NotTimed:
    """Return what a process has measured, which nobody has confirmed yet, or why it has measured nothing.

    The noise floor learns from its samples.
    """
    executable = request.executable
    lines = outcome.stdout.splitlines()
    if outcome.problem:
        measure = next((line.split(b"\t")[1].decode() for line in lines if line.startswith(b"during\t")), "")
        kind = outcome.kind or FailureKind.NO_VERDICT
        return _not_timed(executable, kind, outcome.problem, outcome.last_words(), measure)
    try:
        table, chain_cycles = table_of([line for line in lines if line.startswith(b"sample\t")]), _chain_cycles(lines)
    except (ValueError, OverflowError, StopIteration) as error:
        return _not_timed(executable, FailureKind.TAMPERED_RECORDS, "emits malformed records", str(error))
    if problem := _other_points(table, request.grid):
        return _not_timed(executable, FailureKind.TAMPERED_RECORDS, problem, "")
    keypair_cache.put(executable, lines)
    noise_floor.add(table)
    repeated = replace(request, patience_ms=0, varying_ms=0)
    arguments = _arguments(repeated, noise_floor.value, dither_cycles)
    return Measured(
        executable=executable,
        samples=table,
        chain_cycles=chain_cycles,
        repeater=Repeater(arguments=arguments, core=core, seconds=REPEATING * request.seconds, copies=copies),
        layout=request.layout,
    )


def _arguments(request: Request, noise_floor: float, dither_cycles: int) -> tuple[str, ...]:
    patience = f"{request.patience_ms}:{request.varying_ms}"
    numbers = (f"{request.seed}:{request.input_seed}", request.timings, patience, f"{noise_floor:.6f}", dither_cycles)
    return (*map(str, numbers), *keypair_cache.arguments(request.executable), *request.grid)


def _other_points(table: Columns, grid: Sequence[str]) -> str:
    """Return what is wrong with the points of the samples; what is not offered may be left out."""
    found = set(zip(*(table[name].tolist() for name in POINT), strict=True))
    asked = {point for line in grid if not line.startswith(_OWN_GRID) for point in points_of(line)}
    if [point for point in found - asked if point[0] != EMPTY and not str(point[0]).startswith(_OWN_GRID)]:
        return "emits samples that nobody asked for"
    if any(point[0] != EMPTY for point in asked) and all(point[0] == EMPTY for point in found):
        return "emits no sample of what it was asked for"
    return ""


def _limits(executable: Executable, seconds: float) -> sandbox.Limits:
    limits = sandbox.Limits(seconds=seconds, output=1024 * sandbox.MEGABYTE)
    # An emulator reserves the guest's address space, and its plugin shares a page of a file with the guest.
    return replace(limits, memory=None, files=PAGE) if executable.compiler.emulator else limits


def _not_timed(executable: Executable, kind: FailureKind, reason: str, detail: str, measure: str = "") -> NotTimed:
    failure = Failure(stage="measure", subject=executable.subject, kind=kind, reason=reason, detail=detail)
    return NotTimed(failure=failure, measure=measure)


def _chain_cycles(lines: Sequence[bytes]) -> int:
    return next(int(line.split(b"\t")[2]) for line in lines if line.startswith(b"info\tchain_cycles\t"))


def table_of(lines: Sequence[bytes], types: Types = RECORD) -> Columns:
    """Return records as columns without the name of the record; ValueError or OverflowError if they are malformed."""
    records = [line.decode().split("\t") for line in lines]
    if not records:
        raise ValueError("no samples")
    fields = zip(types.items(), zip(*records, strict=True), strict=True)
    return {name: array_of(kind, _values(kind, texts)) for (name, kind), texts in fields if name != "record"}


def _values(kind: str, texts: Sequence[str]) -> Sequence[Any]:
    if kind == TEXT:
        return texts
    if kind == INT64_LIST:
        return [np.array([int(word) for word in text.split(",")], np.int64) for text in texts]
    return [int(text) for text in texts]


def with_run_columns(batch: Batch, run: str, machine: str) -> Columns:
    """Return a batch with the columns of SAMPLES, which include those that only the campaign knows, and its `link`."""
    constants = {
        "run": run,
        "machine": machine,
        **asdict(batch.subject),
        "control": batch.control,
        "round": batch.round,
        "link": batch.layout,
    }
    columns = with_constants(batch.table, constants, {**SAMPLES, **PLACEMENT})
    return {name: columns[name] for name in (*SAMPLES, "link")}
