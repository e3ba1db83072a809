# SPDX-License-Identifier: MIT OR Apache-2.0
"""Lines of the Go benchmark format, one per round, so that `benchstat` can test differences.

https://go.dev/design/14313-benchmark-format: configuration lines `key: value`,
unit lines, and `Benchmark<Name> <iterations> <value> <unit>`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import BinaryIO

from cyclometer.records.length_unit import BYTES
from cyclometer.records.rounds import ExportSource, Rounds, RunKey
from cyclometer.records.run import RunInfo
from cyclometer.untrusted import printable

SUMMARY = "Go benchmark lines, one per round, for benchstat (-col /system puts systems side by side)"


def write(exported: ExportSource, stream: BinaryIO) -> list[str]:
    """Write one block per run, preceded by its configuration."""
    units = sorted({_unit(unit) for unit in exported.units.values()})
    stream.writelines(f"Unit {unit} better=lower assume=nothing\n".encode() for unit in units)
    tunings = _tunings(exported)
    run: RunKey = ("", "")
    for point in exported.rounds():
        if run != (point.run, point.machine):
            run = (point.run, point.machine)
            stream.writelines(line.encode() for line in _configuration(exported.info(*run)))
        unit = _unit(exported.units[run])
        named = len(tunings[*run, point.subject.operation, point.subject.primitive]) > 1
        stream.writelines(
            line.encode()
            for line in _lines(point, unit, named, exported.length_units.get(point.subject.operation, BYTES))
        )
    return []


def _configuration(info: RunInfo) -> Iterable[str]:
    facts = {"cpu": info.facts.get("cpu", ""), "kernel": info.facts.get("kernel", "")}
    described: Mapping[str, object] = {
        "pkg": "cyclometer",
        "machine": info.machine,
        **facts,
        "counter": info.counter.get("name", ""),
        "run": info.run,
    }
    yield "\n"
    for key, value in described.items():
        text = printable(" ".join(str(value).split()))
        if text:
            yield f"{key}: {text}\n"


def _tunings(exported: ExportSource) -> dict[tuple[str, str, str, str], set[tuple[str, str]]]:
    """Return the tunings of each system in each run; a benchmark's name includes its tuning if there are several."""
    tunings: dict[tuple[str, str, str, str], set[tuple[str, str]]] = {}
    for point in exported.rounds():
        subject = point.subject
        key = (point.run, point.machine, subject.operation, subject.primitive)
        tunings.setdefault(key, set()).add((subject.implementation, subject.compiler))
    return tunings


def _lines(point: Rounds, unit: str, named: bool, length_unit: str) -> Iterable[str]:
    name = benchmark_name(point, named, length_unit)
    for headline, timings in zip(point.headlines, point.timings, strict=True):
        yield f"{name} {timings} {headline:.10g} {unit}\n"


def benchmark_name(point: Rounds, named: bool, length_unit: str = BYTES) -> str:
    """Return a name that never ends in `-<digits>`, which benchstat would take for a number of processors."""
    subject, variables = point.subject, point.variables
    measure = "".join(part.capitalize() for part in point.measure.split("_"))
    parts = [f"Benchmark{measure}", f"operation={subject.operation}", f"system={subject.primitive}"]
    if named:
        parts += [f"implementation={subject.implementation}", f"compiler={subject.compiler}"]
    parts += [f"keys={variables['keys']}", f"ad={variables['ad_length']}", f"align={variables['alignment']}"]
    parts.append(f"{length_unit}={variables['length']}")
    return "/".join("_".join(printable(part).replace("/", "_").split()) for part in parts)


def _unit(unit: str) -> str:
    return "-".join(unit.split()) + "/op"
