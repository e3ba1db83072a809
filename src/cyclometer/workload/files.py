# SPDX-License-Identifier: MIT OR Apache-2.0
"""Workload files: TOML of the folder workloads/, or of the user (docs/rank.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from cyclometer.analyse.security import exponent
from cyclometer.discover.schema import POWER, Declaration
from cyclometer.discover.toml_files import read
from cyclometer.errors import BadDeclaration, UnknownName
from cyclometer.records.grid import MAX_KEYS, MAX_LENGTH
from cyclometer.workload.trace import Trace, read_trace
from cyclometer.workload.workload import MAX_NODES, Limits, Packet, Requirement, Workload, interpolated

Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]


_ORDER = re.compile(r"random|round-robin|zipf 1\.0|bursts of [1-9]\d{0,5}", re.ASCII)


def _order(value: object) -> str:
    if isinstance(value, str) and _ORDER.fullmatch(value):
        return value
    raise ValueError(f'{value!r} is not an order; give "random", "round-robin", "zipf 1.0" or "bursts of 16"')


def _probability(value: object) -> str:
    """Return a power of two that is at most 1."""
    if isinstance(value, str) and re.fullmatch(POWER, value, re.ASCII) and exponent(value) <= 0:
        return value
    above = isinstance(value, str) and re.fullmatch(POWER, value, re.ASCII)
    reason = "is above 1" if above else "is not a power of two"
    raise ValueError(f'{value!r} {reason}; give a probability such as "2^-64", from "2^0" down')


class Packets(Declaration):
    """[packets]: one of histogram, range and trace."""

    histogram: dict[str, Weight] = Field(default={})  # length in bytes -> how often
    range: list[int] = Field(default=[])  # the shortest and the longest length; all between are equally frequent
    trace: str = ""  # a file beside this one: .csv or .pcap
    ad: dict[str, Weight] = Field(default={"0": 1})  # the same for associated data, independent of the length


class Keys(Declaration):
    """[keys]."""

    active: Annotated[int, Field(ge=1, le=MAX_KEYS)] | None = None
    order: Annotated[str, BeforeValidator(_order)] = "random"
    packets_per_key: Annotated[int, Field(ge=1)] = 1_000_000


class Mix(Declaration):
    """[mix]."""

    encrypt: Share = 0.5
    forged: Share | None = None


class LimitsTable(Declaration):
    """[limits]: what a system may use."""

    code_bytes: Annotated[int, Field(ge=0)] | None = None
    expanded_key_bytes: Annotated[int, Field(ge=0)] | None = None
    stack_bytes: Annotated[int, Field(ge=0)] | None = None
    constant_time: bool = False


class Security(Declaration):
    """[security]: what a system must have left."""

    bits: Annotated[int, Field(ge=0)] = 0
    quantum_bits: Annotated[int, Field(ge=0)] = 0
    model: Literal["nonce-respecting", "misuse-resistant", "related-key"] = "nonce-respecting"
    forgery: Annotated[str, BeforeValidator(_probability)] | None = None


class WorkloadFile(Declaration):
    """A workload file."""

    title: str
    source: str = ""
    packets: Packets
    keys: Keys = Keys()
    mix: Mix = Mix()
    limits: LimitsTable = LimitsTable()
    security: Security = Security()


def shipped(tree: Path) -> dict[str, Path]:
    """Return the workloads that come with the tree, by name."""
    return {file.stem: file for file in sorted((tree / "workloads").glob("*.toml"))}


def find_workload(name: str, tree: Path) -> Workload:
    """Return the workload of a file, or one that comes with the tree; `UnknownName` or `BadDeclaration`."""
    known = shipped(tree)
    if name in known:
        return read_workload(known[name])
    if name.endswith(".toml") or "/" in name:
        return read_workload(Path(name))
    listed = f"known: {', '.join(known)}" if known else "this tree has no workloads of its own"
    raise UnknownName("workload", name, known, f"a file ends in .toml; {listed}")


def read_workload(file: Path) -> Workload:
    """Read and check a workload file."""
    declared = read(WorkloadFile, file)
    trace = read_trace(file.parent / declared.packets.trace) if declared.packets.trace else None
    packets = _packets(declared.packets, trace, file)
    forged = declared.mix.forged if declared.mix.forged is not None else (trace.forged if trace else None)
    workload = Workload(
        name=file.stem,
        title=declared.title,
        source=declared.source,
        packets=interpolated(packets),
        keys=declared.keys.active or (trace.keys if trace else 1),
        order=declared.keys.order,
        packets_per_key=declared.keys.packets_per_key,
        encrypt=declared.mix.encrypt,
        forged=forged or 0.0,
        limits=Limits(**declared.limits.model_dump()),
        security=Requirement(**{**declared.security.model_dump(), "forgery": declared.security.forgery or ""}),
        interpolated=len(packets) if len({length for length, _ in packets}) > MAX_NODES else 0,
    )
    return workload


def of_trace(file: Path) -> Workload:
    """Return the workload of a trace alone."""
    trace = read_trace(file)
    return Workload(
        name=file.stem,
        title=f"{file.name}: {trace.count:,} packets",
        source=file.name,
        packets=interpolated(trace.packets),
        keys=trace.keys,
        forged=trace.forged or 0.0,
        interpolated=len(trace.packets) if len({length for length, _ in trace.packets}) > MAX_NODES else 0,
    )


def _packets(declared: Packets, trace: Trace | None, file: Path) -> Mapping[Packet, float]:
    given = [name for name in ("histogram", "range", "trace") if getattr(declared, name)]
    if len(given) > 1:
        raise BadDeclaration(f"{file}: [packets] has {given[0]} and {given[1]}; give one of them")
    if trace:
        return trace.packets
    lengths = _weights(declared.histogram, "histogram", file) if declared.histogram else _range(declared.range, file)
    ad_lengths = _weights(declared.ad, "ad", file)
    return {(n, ad): weight * of_ad for n, weight in lengths.items() for ad, of_ad in ad_lengths.items()}


def _weights(table: Mapping[str, float], name: str, file: Path) -> dict[int, float]:
    result = {}
    for text, weight in table.items():
        if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or int(text) > MAX_LENGTH:
            raise BadDeclaration(f"{file}: packets.{name}: {text!r} is not a length from 0 to {MAX_LENGTH:,} bytes")
        if weight:
            result[int(text)] = weight
    if not result:
        raise BadDeclaration(f"{file}: packets.{name} has no packets; give at least one length a weight above 0")
    return result


def _range(ends: list[int], file: Path) -> dict[int, float]:
    if not ends:
        raise BadDeclaration(f"{file}: [packets] has no packets; give histogram, range or trace")
    if len(ends) != 2 or not 0 <= ends[0] <= ends[1] <= MAX_LENGTH:
        raise BadDeclaration(f"{file}: packets.range must be [shortest, longest], from 0 to {MAX_LENGTH:,} bytes")
    return dict.fromkeys(range(ends[0], ends[1] + 1), 1.0)
