# SPDX-License-Identifier: MIT OR Apache-2.0
"""A page per system, and a page that lists them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cyclometer import paths
from cyclometer.analyse.site_data import MachineRecord, System
from cyclometer.records.placement import is_size_of_placement
from cyclometer.records.run import CONSTANT_TIME, VECTORS_PASSED, Size
from cyclometer.records.table import MachineFailure
from cyclometer.records.tuning import NOISE, UNCLEAR, Trial
from cyclometer.report.site.curves import Curves, command_to_repeat
from cyclometer.report.site.page_tables import of_system
from cyclometer.report.site.placement import placement_of
from cyclometer.report.site.site import Page, Site
from cyclometer.report.site.slugs import data_name, system_page
from cyclometer.report.text import stage_of

TITLE = "Systems"
PLACE = 4
ADDRESS = "systems.html"

CHOSEN = "chosen"

FACTS = ("designers", "year", "source", "licence", "composition", "stream", "mac")


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """One tuning that was tried: its timing during the selection, or why it failed."""

    machine: str
    implementation: str
    compiler: str
    cycles: float | None
    timings: int
    behind: float | None  # ratio to the fastest tuning on its machine
    outcome: str  # chosen, slower, or what decided between equals
    reason: str
    detail: str


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield the list, then one page per system."""
    systems = site.material.systems
    yield Page(path=ADDRESS, template="systems.html", title="Systems", values={"by_operation": _by_operation(systems)})
    for system in systems:
        yield _page(site, system)


def _page(site: Site, system: System) -> Page:
    material = site.material
    curves = site.curves_of(system.operation, system.primitive)
    trials = [each for each in material.trials if _is_about(system, each.record)]
    sizes = list(_newest(each for each in material.sizes if _is_about(system, each.record)))
    failures = [entry for entry in material.failures if _is_about(system, entry.failure)]
    newest = {each.machine: each.run for each in trials}  # runs are in order: the newest is last
    return Page(
        path=system_page(system.operation, system.primitive),
        template="system.html",
        title=system.primitive,
        values={
            "system": system,
            "facts": [(name, _fact_text(system.declaration[name])) for name in FACTS if name in system.declaration],
            "sizes": [each for each in sizes if _is_of_tuning(each.record.name)],
            "constant_time": [each for each in sizes if each.record.name == CONSTANT_TIME],
            "passed": [each for each in sizes if each.record.name == VECTORS_PASSED],
            "declared_sizes": {
                name: value for name, value in system.declaration.items()
                if name.endswith("_bytes") and isinstance(value, int)
            },
            "curves": curves,
            "tables": {each.machine: of_system(site, each.operation, each.primitive, each.machine) for each in curves},
            "placement": placement_of(site, system.operation, system.primitive),
            "tunings": _tunings([each for each in trials if each.run == newest[each.machine]], failures),
            "failures": failures,
            "vectors": _vectors(system),
            "raw": _raw(site, curves),
            "lines_key": lambda each: data_name("lines", each.operation, each.primitive, each.machine),
        },
    )  # fmt: skip


def _is_of_tuning(size: str) -> bool:
    return size not in (VECTORS_PASSED, CONSTANT_TIME) and not is_size_of_placement(size)


def _by_operation(systems: Sequence[System]) -> dict[str, list[System]]:
    grouped: dict[str, list[System]] = {}
    for system in systems:
        grouped.setdefault(system.operation, []).append(system)
    return grouped


def _is_about(system: System, record: Any) -> bool:
    return (record.subject.operation, record.subject.primitive) == (system.operation, system.primitive)


def _newest(sizes: Iterable[MachineRecord[Size]]) -> Iterable[MachineRecord[Size]]:
    """Return each size of a tuning once per machine, from the newest run."""
    return {(each.machine, each.record.subject, each.record.name): each for each in sizes}.values()


def _fact_text(value: Any) -> str:
    return ", ".join(str(part) for part in value) if isinstance(value, list | tuple) else str(value)


def _tunings(trials: Sequence[MachineRecord[Trial]], failures: Sequence[MachineFailure]) -> list[Tuning]:
    """Return the tunings: the chosen one first, then by cycles; the failed ones last."""
    best: dict[str, float] = {}
    for trial in trials:
        best[trial.machine] = min(trial.record.cycles, best.get(trial.machine, trial.record.cycles))
    timed = [
        Tuning(
            machine=trial.machine,
            implementation=trial.record.subject.implementation,
            compiler=trial.record.subject.compiler,
            cycles=trial.record.cycles,
            timings=trial.record.timings,
            behind=trial.record.cycles / best[trial.machine] if best[trial.machine] > 0 else None,
            outcome=_outcome(trial.record),
            reason="",
            detail="",
        )
        for trial in trials
    ]
    failed = [
        Tuning(
            machine=entry.machine,
            implementation=entry.failure.subject.implementation,
            compiler=entry.failure.subject.compiler,
            cycles=None,
            timings=0,
            behind=None,
            outcome="",
            reason=f"{stage_of(entry.failure)}: {entry.failure.reason}",
            detail=entry.failure.detail,
        )
        for entry in failures
    ]
    return [*sorted(timed, key=lambda each: (each.machine, each.outcome != CHOSEN, each.cycles)), *failed]


def _outcome(trial: Trial) -> str:
    """Return why a tuning was chosen or not."""
    if trial.chosen:
        return CHOSEN
    if trial.decided_by == NOISE:
        return UNCLEAR
    return f"tie; {trial.decided_by}" if trial.decided_by not in ("", "work load") else "slower"


def _vectors(system: System) -> list[tuple[str, int, str]]:
    """Return (file, number of vectors, source) of each vector file in this tree."""
    if any(not name or name[0] == "." or "/" in name for name in (system.operation, system.primitive)):
        return []
    files = []
    for path in sorted((paths.root() / "primitives" / system.operation / system.primitive).glob("vectors*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            files.append((path.name, len(content["vectors"]), str(content.get("source", ""))))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
    return files


def _raw(site: Site, curves: Sequence[Curves]) -> Mapping[str, Any]:
    """Return the index with which assets/raw.js shows raw samples and the command that repeats them."""
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
