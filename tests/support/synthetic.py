# SPDX-License-Identifier: MIT OR Apache-2.0
"""Synthetic runs with known numbers, for the tests of store, analyse and report.

    processes = [process("crypto_aead", "salsa20-poly1305", round=0, cycles={("encrypt", 576): 3000})]
    write_run(results, run_info(), processes)

A process is one table as the timed executable delivers it: for each sample a
series of timings around the requested cycles, counter overhead included.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cyclometer.records.columns import Columns, columns_of
from cyclometer.records.failure import Failure
from cyclometer.records.run import FORMAT, SAMPLES, EarlierCost, RunInfo, Size
from cyclometer.records.tuning import Trial, Tuning
from cyclometer.store import RunWriter

TIMINGS = 15
CHAIN_CYCLES = 1000
OVERHEAD = 24  # the cost of the empty call, in counter units
QUIET_LOAD = 800  # the load kernel's time when nobody else is on the core


def run_info(**changes: Any) -> RunInfo:
    """Make the RunInfo of a quick run on machine `box` with a core-cycle counter; `changes` replace fields."""
    fields: dict[str, Any] = {
        "format": FORMAT,
        "run": "2026-11-21T21-00-00-quick",
        "machine": "box",
        "started": datetime.datetime(2026, 11, 21, 21, 0, 0, tzinfo=datetime.UTC),
        "finished": None,
        "profile": "quick",
        "command": ("cyclometer", "run"),
        "version": "0.1.0",
        "contracts": {"crypto_aead": "c0ffee"},
        "counter": {
            "name": "perf-rdpmc",
            "unit": "core cycles",
            "per_second": 3_000_000_000,
            "chain_cycles": CHAIN_CYCLES,
        },
        "facts": {"cpu": "Example CPU 3.0 GHz"},
        "compilers": {"gcc-O3": "gcc -O3 (13.2.0)"},
        "primitives": {},
        "plan": {"seed": 1},
    }
    return RunInfo(**{**fields, **changes})


def series(cycles: float, spread: int = 0, overhead: int = OVERHEAD) -> list[int]:
    """Make 15 timings, `spread` apart, whose middle quarter averages `cycles` + overhead."""
    middle = TIMINGS // 2
    return [round(cycles + overhead + (index - middle) * spread) for index in range(TIMINGS)]


def sample(measure: str, cycles: float, length: int = 0, **columns: Any) -> dict[str, Any]:
    """Make one row; unnamed columns have the values of an undisturbed sample."""
    return {
        "measure": measure,
        "length": length,
        "ad_length": 0,
        "keys": 1,
        "alignment": 0,
        "counter": "perf-rdpmc",
        "context_switches": 0,
        "retakes": 0,
        "tsc": 0,
        "chain_before": CHAIN_CYCLES + OVERHEAD,
        "chain_after": CHAIN_CYCLES + OVERHEAD,
        "load_before": QUIET_LOAD,
        "load_after": QUIET_LOAD,
        "series": series(cycles),
        **columns,
    }


def process(  # one argument per property of a process
    primitive: str,
    rows: Iterable[Mapping[str, Any]] | None = None,
    *,
    cycles: Mapping[tuple[str, int], float] | None = None,
    round: int = 0,
    control: bool = False,
    operation: str = "crypto_aead",
    implementation: str = "ref",
    compiler: str = "gcc-O3",
    info: RunInfo | None = None,
) -> Columns:
    """Make the samples of one process: `rows` as given, or one sample for each (measure, length) of `cycles`."""
    info = info or run_info()
    if rows is None:
        rows = [sample("empty", 0)]
        rows += [sample(measure, value, length) for (measure, length), value in (cycles or {}).items()]
    subject = {
        "run": info.run,
        "machine": info.machine,
        "operation": operation,
        "primitive": primitive,
        "implementation": implementation,
        "compiler": compiler,
        "control": control,
        "round": round,
    }
    return columns_of([{**subject, **row} for row in rows], SAMPLES)


def write_run(
    results: Path,
    info: RunInfo,
    processes: Sequence[Columns] = (),
    *,
    failures: Sequence[Failure] = (),
    trials: Sequence[Trial] = (),
    sizes: Sequence[Size] = (),
    earlier: Sequence[EarlierCost] = (),
    finish: bool = True,
) -> Path:
    """Store a run and return its folder; with `finish=False` the run is left interrupted."""
    with RunWriter.start(results, info) as writer:
        for number, table in enumerate(processes):
            writer.add_samples(f"part-{number}", table)
        writer.add_failures(failures)
        writer.add_trials(trials)
        writer.add_sizes(sizes)
        writer.add_earlier(earlier)
        return writer.finish() if finish else writer.folder


def as_format_1(folder: Path) -> None:
    """Make a stored run one of format 1, which has no digests; its files may then be changed."""
    (folder / "SHA256SUMS").unlink()
    path = folder / "run.json"
    added = {"id", "label", "recorded_as"}
    kept = {key: value for key, value in json.loads(path.read_text()).items() if key not in added}
    path.write_text(json.dumps({**kept, "format": 1}))


def subject(primitive: str, implementation: str = "ref", compiler: str = "gcc-O3") -> Tuning:
    """Make a tuning of crypto_aead."""
    return Tuning(operation="crypto_aead", primitive=primitive, implementation=implementation, compiler=compiler)


def earlier_runs(primitive: str, *cycles: float, measure: str = "encrypt", length: int = 576) -> list[EarlierCost]:
    """Make what earlier runs have measured at one point of a system, the oldest first."""
    return [
        EarlierCost(
            subject=subject(primitive),
            measure=measure,
            length=length,
            ad_length=0,
            keys=1,
            alignment=0,
            runs_ago=len(cycles) - number,
            cycles=each,
        )
        for number, each in enumerate(cycles)
    ]
