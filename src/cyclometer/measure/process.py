# SPDX-License-Identifier: MIT OR Apache-2.0
"""One timed process: the grid goes in as arguments, sample records come out."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from cyclometer.execute import keypair_cache, sandbox
from cyclometer.execute.timed import call
from cyclometer.measure.confirm import Confirm
from cyclometer.measure.noise_floor import NoiseFloor
from cyclometer.measure.repeat import Repeater
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.grid import POINT, points_of
from cyclometer.records.run import SAMPLES, SERIES_TIMINGS, Batch

PAGE = 4096
_OWN_GRID = ("mix ", "replay-")  # lines of mixes, whose points follow from the packets of a workload

# The columns of a `sample` record, docs/harness.md.
RECORD = {
    "record": pa.string(),
    "measure": pa.string(),
    "length": pa.int32(),
    "ad_length": pa.int32(),
    "keys": pa.int32(),
    "alignment": pa.int16(),
    "counter": pa.string(),
    "context_switches": pa.int16(),
    "retakes": pa.int16(),
    "tsc": pa.int64(),
    "chain_before": pa.int32(),
    "chain_after": pa.int32(),
    "load_before": pa.int32(),
    "load_after": pa.int32(),
    "series": pa.string(),
    "repetition": pa.int32(),
    "number": pa.int32(),  # of the series among those taken for a sample
    "first": pa.int32(),  # number of the first timing in its series
    "inputs": pa.int32(),
    "outputs": pa.string(),
}


@dataclass(frozen=True, kw_only=True)
class NotTimed:
    """Why a process returned no samples."""

    failure: Failure
    measure: str  # the measure under way, or '' if unknown


def run_process(
    executable: Executable,
    grid: Sequence[str],
    *,
    seed: int,
    input_seed: int,
    patience_ms: int,
    noise_floor: NoiseFloor,
    core: int | None,
    seconds: float,
    dither_cycles: int = 0,
    confirm: Confirm | None = None,
) -> tuple[pa.Table, int] | NotTimed:
    """Run one process; return its samples (the columns of RECORD) and chain_cycles, or why there are none.

    `seed` orders the samples, `input_seed` draws their inputs. The process is given the noise floor, which then learns
    from its samples. `confirm` may find that the samples are not to be believed.
    """
    numbers = (f"{seed}:{input_seed}", SERIES_TIMINGS, patience_ms, f"{noise_floor.value:.6f}", dither_cycles)
    outcome = call(
        executable,
        *("measure", *map(str, numbers), *keypair_cache.arguments(executable), *grid),
        cpu=core,
        limits=_limits(executable, seconds),
    )
    lines = outcome.stdout.splitlines()
    if outcome.problem:
        measure = next((line.split(b"\t")[1].decode() for line in lines if line.startswith(b"during\t")), "")
        kind = outcome.kind or FailureKind.NO_VERDICT
        return _not_timed(executable, kind, outcome.problem, outcome.last_words(), measure)
    try:
        table, chain_cycles = table_of([line for line in lines if line.startswith(b"sample\t")]), _chain_cycles(lines)
    except (pa.ArrowInvalid, ValueError, StopIteration) as error:
        return _not_timed(executable, FailureKind.TAMPERED_RECORDS, "emits malformed records", str(error))
    if problem := _other_points(table, grid):
        return _not_timed(executable, FailureKind.TAMPERED_RECORDS, problem, "")
    keypair_cache.put(executable, lines)
    if confirm:
        numbers = (*numbers[:2], 0, *numbers[3:])
        arguments = (*map(str, numbers), *keypair_cache.arguments(executable), *grid)
        if failure := confirm(executable, Repeater(arguments=arguments, core=core, seconds=seconds), table):
            return NotTimed(failure=failure, measure="")
    noise_floor.add(table)
    return table, chain_cycles


def _other_points(table: pa.Table, grid: Sequence[str]) -> str:
    """Return what is wrong with the points of the samples; what is not offered may be left out."""
    found = set(zip(*(table[name].to_pylist() for name in POINT), strict=True))
    asked = {point for line in grid if not line.startswith(_OWN_GRID) for point in points_of(line)}
    if [point for point in found - asked if point[0] != "empty" and not str(point[0]).startswith(_OWN_GRID)]:
        return "emits samples that nobody asked for"
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


def table_of(lines: Sequence[bytes], columns: Mapping[str, Any] = RECORD) -> pa.Table:
    """Return records as a table of these columns, of which the last is the series; ValueError if there are none."""
    if not lines:
        raise ValueError("no samples")
    table = pyarrow.csv.read_csv(
        io.BytesIO(b"\n".join(lines) + b"\n"),
        read_options=pyarrow.csv.ReadOptions(column_names=list(columns)),
        parse_options=pyarrow.csv.ParseOptions(delimiter="\t", quote_char=False),
        convert_options=pyarrow.csv.ConvertOptions(column_types=dict(columns)),
    )
    texts = table["series"].combine_chunks()
    series = pc.cast(pc.split_pattern(texts, ","), pa.list_(pa.int64()))
    return table.set_column(list(columns).index("series"), "series", series).drop_columns(["record"])


def with_run_columns(batch: Batch, run: str, machine: str) -> pa.Table:
    """Return a batch as a table with the columns of SAMPLES, which include those that only the campaign knows."""
    table = batch.table
    constants: dict[str, Any] = {
        "run": run,
        "machine": machine,
        "operation": batch.subject.operation,
        "primitive": batch.subject.primitive,
        "implementation": batch.subject.implementation,
        "compiler": batch.subject.compiler,
        "control": batch.control,
        "round": batch.round,
    }
    for name, value in constants.items():
        table = table.append_column(name, pa.array([value] * table.num_rows))
    return table.select(SAMPLES.names).cast(SAMPLES)
