# SPDX-License-Identifier: MIT OR Apache-2.0
"""A page per primitive, and one that lists them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cyclometer import paths
from cyclometer.analyse.site_data import MachineRecord, System
from cyclometer.records.run import CONSTANT_TIME, VECTORS_PASSED, Size
from cyclometer.records.table import MachineFailure
from cyclometer.records.tuning import Trial
from cyclometer.report.site.curves import Curves, command_to_repeat
from cyclometer.report.site.page_tables import of_system
from cyclometer.report.site.site import Page, Site
from cyclometer.report.site.slugs import data_name, system_page
from cyclometer.report.text import stage_of

TITLE = "Systems"
PLACE = 4
ADDRESS = "systems.html"

KNOWN_FACTS = ("designers", "year", "source", "licence", "composition", "stream", "mac")


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """One tuning tried: its result in the race, or why it has none."""

    machine: str
    implementation: str
    compiler: str
    cycles: float | None
    timings: int
    behind: float | None  # ratio to the fastest of its machine
    chosen: bool
    reason: str
    detail: str


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """The list, then one page each."""
    systems = site.material.systems
    yield Page(path=ADDRESS, template="systems.html", title="Systems", values={"by_operation": _by_operation(systems)})
    for system in systems:
        yield _page(site, system)


def _page(site: Site, system: System) -> Page:
    material = site.material
    curves = site.curves_of(system.operation, system.primitive)
    trials = [found for found in material.trials if _is(system, found.record)]
    sizes = list(_newest(found for found in material.sizes if _is(system, found.record)))
    failures = [entry for entry in material.failures if _fails(system, entry)]
    newest = {found.machine: found.run for found in trials}  # in the order of runs: the last one stays
    return Page(
        path=system_page(system.operation, system.primitive),
        template="system.html",
        title=system.primitive,
        values={
            "system": system,
            "facts": [(name, _words(system.declaration[name])) for name in KNOWN_FACTS if name in system.declaration],
            "sizes": [found for found in sizes if found.record.name not in (VECTORS_PASSED, CONSTANT_TIME)],
            "constant_time": [found for found in sizes if found.record.name == CONSTANT_TIME],
            "passed": [found for found in sizes if found.record.name == VECTORS_PASSED],
            "declared_sizes": {
                name: value for name, value in system.declaration.items()
                if name.endswith("_bytes") and isinstance(value, int)
            },
            "curves": curves,
            "tables": {each.machine: of_system(site, each.operation, each.primitive, each.machine) for each in curves},
            "tunings": _tunings([found for found in trials if found.run == newest[found.machine]], failures),
            "failures": failures,
            "vectors": _vectors(system),
            "raw": _raw(site, curves),
            "graph_key": lambda each: data_name("graphs", each.operation, each.primitive, each.machine),
            "lines_key": lambda each: data_name("lines", each.operation, each.primitive, each.machine),
        },
    )  # fmt: skip


def _by_operation(systems: Sequence[System]) -> dict[str, list[System]]:
    found: dict[str, list[System]] = {}
    for system in systems:
        found.setdefault(system.operation, []).append(system)
    return found


def _is(system: System, record: Any) -> bool:
    return (record.subject.operation, record.subject.primitive) == (system.operation, system.primitive)


def _newest(found: Iterable[MachineRecord[Size]]) -> Iterable[MachineRecord[Size]]:
    """Each size of a tuning once a machine: in the order of runs, the last one stays."""
    return {(each.machine, each.record.subject, each.record.name): each for each in found}.values()


def _fails(system: System, entry: MachineFailure) -> bool:
    return _is(system, entry.failure)


def _words(value: Any) -> str:
    return ", ".join(str(part) for part in value) if isinstance(value, list | tuple) else str(value)


def _tunings(trials: Sequence[MachineRecord[Trial]], failures: Sequence[MachineFailure]) -> list[Tuning]:
    """The chosen one first, then by cycles; the failed ones last."""
    best: dict[str, float] = {}
    for found in trials:
        best[found.machine] = min(found.record.cycles, best.get(found.machine, found.record.cycles))
    raced = [
        Tuning(
            machine=found.machine,
            implementation=found.record.subject.implementation,
            compiler=found.record.subject.compiler,
            cycles=found.record.cycles,
            timings=found.record.timings,
            behind=found.record.cycles / best[found.machine] if best[found.machine] > 0 else None,
            chosen=found.record.chosen,
            reason="",
            detail="",
        )
        for found in trials
    ]
    failed = [
        Tuning(
            machine=entry.machine,
            implementation=entry.failure.subject.implementation,
            compiler=entry.failure.subject.compiler,
            cycles=None,
            timings=0,
            behind=None,
            chosen=False,
            reason=f"{stage_of(entry.failure)}: {entry.failure.reason}",
            detail=entry.failure.detail,
        )
        for entry in failures
    ]
    return [*sorted(raced, key=lambda each: (each.machine, not each.chosen, each.cycles)), *failed]


def _vectors(system: System) -> list[tuple[str, int, str]]:
    """(file, vectors in it, where they come from) of the tree that stands here."""
    if any(not name or name[0] == "." or "/" in name for name in (system.operation, system.primitive)):
        return []
    found = []
    for path in sorted((paths.root() / "primitives" / system.operation / system.primitive).glob("vectors*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            found.append((path.name, len(content["vectors"]), str(content.get("source", ""))))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
    return found


def _raw(site: Site, curves: Sequence[Curves]) -> Mapping[str, Any]:
    """What assets/raw.js needs to show the raw samples of a number and how to repeat it."""
    if not site.with_raw:
        return {}
    infos = {(info.machine, info.run): info for info in site.material.infos}
    return {
        each.machine: {
            "unit": each.unit,
            "implementation": each.implementation,
            "compiler": each.compiler,
            "runs": [
                {
                    "run": run,
                    "file": data_name("raw", each.operation, each.primitive, each.machine, run),
                    "counter": str(infos[each.machine, run].counter.get("name", "counter")),
                    "counted": str(infos[each.machine, run].counter.get("unit", "units")),
                    "repeat": command_to_repeat(infos[each.machine, run], each.primitive, each.implementation),
                }
                for run in each.runs
            ],
        }
        for each in curves
    }
