# SPDX-License-Identifier: MIT OR Apache-2.0
"""google/benchmark's JSON: a context and a list of benchmarks, one repetition per round and their aggregates.

Times are in nanoseconds: headlines divided by the clock rate during the run.
The headline itself is the counter `cycles`, or `units` if the run has no cycles.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable
from typing import Any, BinaryIO

from cyclometer.records.length_unit import BYTES
from cyclometer.records.rounds import ExportSource, Rounds, RunKey
from cyclometer.records.run import RunInfo
from cyclometer.report.exports._names import names, tuning

SUMMARY = "google/benchmark JSON with repetitions and aggregates, for its compare.py"


def write(exported: ExportSource, stream: BinaryIO) -> list[str]:
    """Write the newest run's context and all benchmarks; omit runs of unknown clock rate, with a note."""
    newest = max(exported.infos, key=lambda info: info.started)
    stream.write(f'{{\n"context": {json.dumps(_context(newest, exported))},\n"benchmarks": ['.encode())
    name = names(exported)
    separator, family, unclocked = "\n", 0, set[RunKey]()
    for point in exported.rounds():
        hertz = exported.hertz[point.run, point.machine]
        if not hertz:
            unclocked.add((point.run, point.machine))
            continue
        for entry in _entries(point, exported, hertz, family, _name(name(point))):
            stream.write((separator + json.dumps(entry)).encode())
            separator = ",\n"
        family += 1
    stream.write(b"\n]\n}\n")
    return [
        f"{machine} {run} left out: the clock rate of its counter is not recorded" for run, machine in sorted(unclocked)
    ]


def _context(info: RunInfo, exported: ExportSource) -> dict[str, Any]:
    hertz = exported.hertz[info.run, info.machine] or 0
    return {
        "date": info.started.isoformat(timespec="seconds"),
        "host_name": info.machine,
        "executable": "cyclometer",
        "num_cpus": _leading_number(str(info.facts.get("cores", ""))),
        "mhz_per_cpu": round(hertz / 1e6),
        "cpu_scaling_enabled": False,
        "caches": [],
        "load_avg": [],
        "library_version": f"cyclometer {info.version}",
        "library_build_type": "release",
        "json_schema_version": 1,
        "cpu": str(info.facts.get("cpu", "")),
        "counter": str(info.counter.get("name", "")),
        "runs": [f"{each.machine} {each.run}" for each in exported.infos],
    }


def _leading_number(text: str) -> int:
    first = text.split(" ", 1)[0]
    return int(first) if first.isascii() and first.isdigit() else 0


def _entries(point: Rounds, exported: ExportSource, hertz: float, family: int, name: str) -> Iterable[dict[str, Any]]:
    values = point.headlines
    common = {
        "family_index": family,
        "per_family_instance_index": 0,
        "run_name": name,
        "label": tuning(point),
        "repetitions": len(values),
        "threads": 1,
    }
    for index, (value, timings) in enumerate(zip(values, point.timings, strict=True)):
        repetition = {"run_type": "iteration", "repetition_index": index, "iterations": timings}
        yield {"name": common["run_name"], **common, **repetition, **_numbers(point, exported, hertz, value)}
    for kind, value in _aggregates(values).items():
        described = {"run_type": "aggregate", "aggregate_name": kind, "aggregate_unit": "time"}
        entry = {"name": f"{common['run_name']}_{kind}", **common, **described, "iterations": len(values)}
        yield {**entry, **_numbers(point, exported, hertz, value, rate=kind in {"mean", "median"})}
    if len(values) > 1 and statistics.mean(values) > 0:
        relative = statistics.stdev(values) / statistics.mean(values)
        described = {"run_type": "aggregate", "aggregate_name": "cv", "aggregate_unit": "percentage"}
        entry = {"name": f"{common['run_name']}_cv", **common, **described, "iterations": len(values)}
        yield {**entry, "real_time": relative, "cpu_time": relative, "time_unit": "ns"}


def _name(text: str) -> str:
    """Return a name without blanks; the tuning is the label, so that compare.py matches two runs by names."""
    return "_".join(text.split())


def _aggregates(values: tuple[float, ...]) -> dict[str, float]:
    if len(values) < 2:
        return {}
    return {
        "mean": statistics.mean(values),
        "median": statistics.median(values),
        "stddev": statistics.stdev(values),
    }


def _numbers(
    point: Rounds, exported: ExportSource, hertz: float, value: float, *, rate: bool = True
) -> dict[str, float | str]:
    nanoseconds = value / hertz * 1e9
    cycles = exported.units[point.run, point.machine] == "core cycles"
    numbers: dict[str, float | str] = {
        "real_time": nanoseconds,
        "cpu_time": nanoseconds,
        "time_unit": "ns",
        "cycles" if cycles else "units": value,
    }
    if rate and point.variables["length"] and value > 0:
        in_bytes = exported.length_units.get(point.subject.operation, BYTES) == BYTES
        numbers["bytes_per_second" if in_bytes else "items_per_second"] = point.variables["length"] * hertz / value
    return numbers
