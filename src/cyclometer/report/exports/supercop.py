# SPDX-License-Identifier: MIT OR Apache-2.0
"""SUPERCOP's data lines, process by process; docs/exchange.md describes the fields.

A line holds the raw series, in the counter's own units and overhead included.
Samples with several active keys or an alignment, and those of the A/A control,
do not fit the format and are left out. The empty call is written as `empty_cycles`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

import archspec.cpu

from cyclometer.records.rounds import ExportSource
from cyclometer.records.run import RunInfo
from cyclometer.records.supercop_names import CONTRACT, DataLines, is_plain, plain, word

SUMMARY = "SUPERCOP/eBACS data lines with raw series"

ORDER = ("machine", "run", "operation", "primitive", "implementation", "compiler", "round", "sequence")
_ABIS = {"x86_64": "amd64", "aarch64": "arm64"}


def write(exported: ExportSource, stream: BinaryIO) -> list[str]:
    """Write the samples of each process, preceded by lines that describe what it ran on."""
    left_out: Counter[str] = Counter()
    every: dict[str, DataLines] = {}
    process: tuple[object, ...] = ()
    for row in exported.samples(ORDER):
        operation = row["operation"]
        if operation not in every:
            every[operation] = DataLines(operation, exported.foreign)
        names = every[operation]
        reason = _unfit(row, names)
        if reason:
            left_out[reason] += 1
            continue
        info = exported.info(row["run"], row["machine"])
        start = _start(row, info)
        if process != (now := tuple(row[name] for name in ORDER[:-1])):
            process = now
            stream.writelines(f"{start} {line}\n".encode() for line in _preamble(row, info, names))
        stream.write(f"{start} {_measured(row, names)}\n".encode())
    return [f"{count} samples left out: {reason}" for reason, count in sorted(left_out.items())]


def _unfit(row: Mapping[str, Any], names: DataLines) -> str:
    if row["control"]:
        return "the A/A control"
    if not row["operation"].startswith("crypto_"):
        return "not of an operation of SUPERCOP's kind"
    if not all(is_plain(row[name]) for name in ("operation", "primitive", "measure")):
        return "a name with other characters than letters, digits and _ . + -"
    if row["keys"] != 1 or row["alignment"]:
        return "several active keys, or an alignment"
    if not names.holds(row["length"], row["ad_length"]):
        return "associated data that does not fit the length field"
    return "an empty series" if not row["series"] else ""


def _start(row: Mapping[str, Any], info: RunInfo) -> str:
    """Return fields 1 to 6; imported runs keep SUPERCOP's version, others name Cyclometer's."""
    contract = info.contracts.get(row["operation"], "")
    imported = contract.startswith(CONTRACT)
    version = contract.removeprefix(CONTRACT) if imported else f"cyclometer-{plain(info.version)}"
    facts = info.primitives.get(f"{row['operation']}/{row['primitive']}", {})
    goal = facts.get("goals", {}).get(f"{row['implementation']} {row['compiler']}", "")
    if not is_plain(goal):
        goal = "timingleaks"
    machine = plain(info.machine)
    abi = _abi(info)
    date = info.started.strftime("%Y%m%d")
    return " ".join([version, machine, abi, date, row["operation"], f"{row['primitive']}/{goal}"])


def _abi(info: RunInfo) -> str:
    """Return SUPERCOP's name of the ABI, derived from the microarchitecture if the run has none."""
    target = archspec.cpu.TARGETS.get(str(info.facts.get("microarchitecture", "")))
    family = str(target.family.name) if target else "unknown"
    return plain(str(info.facts.get("abi", _ABIS.get(family, family))))


def _preamble(row: Mapping[str, Any], info: RunInfo, names: DataLines) -> Iterable[str]:
    system = f"{row['operation']}/{row['primitive']}"
    yield f"implementation {system}/{word(row['implementation'])} -"
    for name, value in info.primitives.get(system, {}).items():
        if isinstance(value, int) and not isinstance(value, bool) and is_plain(name) and name.endswith("bytes"):
            yield f"{names.kind_of_size(name)} {value}"
    yield f"cpuid {word(str(info.facts.get('cpu', '')))}"
    yield f"cpucycles_persecond {round(float(info.counter.get('per_second') or 0))}"
    yield f"cpucycles_implementation {word(row['counter'])}"
    yield f"compiler {word(row['compiler'])} {word(_version(row['compiler'], info))}"


def _version(compiler: str, info: RunInfo) -> str:
    """Return how the run describes a compiler; of an imported one, only what its line says after the name."""
    described = info.compilers.get(compiler, "")
    return described.removeprefix(f"{compiler} (")[:-1] if described.startswith(f"{compiler} (") else described


def _measured(row: Mapping[str, Any], names: DataLines) -> str:
    length = names.length(row["length"], row["ad_length"])
    headline = stq2(row["series"])
    offsets = "".join(f"{value - headline:+d}" for value in row["series"])
    return f"{names.kind_of(row['measure'])} {length} {headline} {offsets}"


def stq2(series: Sequence[int]) -> int:
    """Return the mean of items 3n to 5n - 1 of the sorted series with each item repeated 8 times, rounded down."""
    ordered = sorted(series)
    count = len(ordered)
    return sum(ordered[index // 8] for index in range(3 * count, 5 * count)) // (2 * count)
