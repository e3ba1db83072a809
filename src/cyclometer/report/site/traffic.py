# SPDX-License-Identifier: MIT OR Apache-2.0
"""The data files of "Your traffic": headlines of rounds of each machine, and what is declared of systems."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from cyclometer.analyse.site_data import Operation, SiteData
from cyclometer.analyse.traffic_rows import TrafficRows
from cyclometer.records.failure import Severity
from cyclometer.report.site.datafiles import pack, spreads_data, write_data
from cyclometer.report.site.slugs import data_name, system_page

INDEX = "traffic"
"""The data file that names the machines, the systems and the presets."""


def write_traffic(data: SiteData, folder: Path) -> bool:
    """Write the data files; return whether there is anything to rank."""
    operation = data.material.operation(data.traffic.operation)
    machines = operation.scope.machines if operation else ()
    if operation is None or not machines:
        return False
    measured: set[str] = set()
    with_ad: set[str] = set()  # systems that were given associated data
    for machine in machines:
        rows = data.traffic_rows(operation.scope, machine)
        measured |= {primitive for primitive, _, _ in rows.tunings}
        with_ad |= _with_associated_data(rows)
        write_data(folder, data_name("traffic", machine), _machine(data, operation, rows))
    systems = _systems(data, operation.name, with_ad)
    write_data(
        folder,
        INDEX,
        {
            "machines": [{"name": name, "data": data_name("traffic", name)} for name in machines],
            "systems": systems,
            "pages": {name: system_page(operation.name, name) for name in systems if name in measured},
            "presets": dict(data.traffic.presets),
        },
    )
    return True


def _with_associated_data(rows: TrafficRows) -> set[str]:
    pairs = zip(rows.columns["tuning"], rows.columns["point"], strict=True)
    return {rows.tunings[tuning][0] for tuning, point in pairs if rows.points[point][2]}


def _systems(data: SiteData, operation: str, with_ad: Collection[str]) -> dict[str, Mapping[str, Any]]:
    """Return what is declared of each system: by this tree, or else by the newest run."""
    own = [system for system in data.material.systems if system.operation == operation]
    stored = {s.primitive: {"associated_data": s.primitive in with_ad, **s.declaration} for s in own}
    shown = {**stored, **data.traffic.systems}
    return {name: _facts(shown[name]) for name in sorted(shown)}


def _facts(declaration: Mapping[str, Any]) -> dict[str, Any]:
    kept = (
        *("security_bits", "security_bits_quantum", "model", "block_bits", "forgery_bits", "tag_bytes", "year"),
        *("data_limit", "data_limit_source", "max_bytes", "associated_data"),
    )
    attack = ("who", "year", "published", "breaks", "model", "data", "keys", "remaining_bits", "disputed")
    facts = {name: declaration[name] for name in kept if name in declaration}
    attacks = [{name: each[name] for name in attack if name in each} for each in declaration.get("attacks", [])]
    return {**facts, "attacks": attacks} if attacks else facts


def _machine(data: SiteData, operation: Operation, rows: TrafficRows) -> dict[str, Any]:
    numbers = {run: number for number, run in enumerate(rows.runs)}
    places = {tuning: number for number, tuning in enumerate(rows.tunings)}
    sizes = []
    for each in data.material.sizes:
        subject = each.record.subject
        tuning = (subject.primitive, subject.implementation, subject.compiler)
        own = each.machine == rows.machine and subject.operation == operation.name
        if own and each.run in numbers and tuning in places:
            sizes.append([places[tuning], numbers[each.run], each.record.name, each.record.value])
    kinds = {"tuning": "i2", "run": "i2", "point": "i4", "count": "i2", "disturbed": "u1", "unclear": "u1"}
    return {
        "unit": rows.unit,
        "hertz": rows.hertz or 0,
        "spreads": spreads_data(operation.spreads_on(rows.machine)),
        "spreads_of_runs": [spreads_data(spreads) for spreads in rows.spreads],
        "tunings": rows.tunings,
        "points": rows.points,
        "sizes": sizes,
        "failures": _failures(data, operation.name, rows.machine),
        "resamples": data.traffic.resamples,
        "columns": {
            **{name: pack(rows.columns[name], kind) for name, kind in kinds.items()},
            "values": pack(rows.headlines, "f4"),
        },
        "draws": {str(rounds): pack(draws, "i2") for rounds, draws in rows.draws.items()},
    }


def _failures(data: SiteData, operation: str, machine: str) -> dict[str, str]:
    """Return the first error of each primitive."""
    found: dict[str, str] = {}
    for each in data.material.failures:
        failure, subject = each.failure, each.failure.subject
        own = each.machine == machine and subject.operation == operation and subject.primitive
        if own and failure.severity is not Severity.WARNING:
            found.setdefault(subject.primitive, f"not measured: {subject.implementation}: {failure.reason}")
    return found
