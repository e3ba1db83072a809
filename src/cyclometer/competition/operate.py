# SPDX-License-Identifier: MIT OR Apache-2.0
"""Blind runs: an operator measures submissions under random labels, and what the stored runs say of each class."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cyclometer import campaign
from cyclometer.competition.check import require_sandbox
from cyclometer.competition.declared import declarations, declared, require_baseline, require_unchanged
from cyclometer.competition.files import RUNS, Competition
from cyclometer.competition.freeze import is_texts, read_frozen, require_frozen
from cyclometer.competition.stage import Labels, discovered, new_labels, staged
from cyclometer.discover import followable
from cyclometer.errors import BadDeclaration, CyclometerError, NothingToDo, RefusedFile, UnknownName, on_disk
from cyclometer.records.catalogue import Catalogue, Primitive
from cyclometer.records.table import Context
from cyclometer.store import StoredRun, list_runs, remove_run
from cyclometer.untrusted import MAX_HEADER, read_bytes
from cyclometer.workload import (
    OPERATION,
    Needs,
    Ranking,
    cost_for,
    insecure,
    measure_missing,
    needed_points,
    rank,
    read_material,
    survey,
    unfit,
)
from cyclometer.workload.ranking import Material

LABELS = "labels.json"


@dataclass(frozen=True, kw_only=True)
class ClassResult:
    """What the runs of one operator on one machine say of one class."""

    operator: str
    machine: str
    ranking: Ranking
    material: Material
    context: Context
    hertz: float | None

    @property
    def place(self) -> str:
        """Who measured where."""
        return f"{self.operator}/{self.machine}"


def measure(
    tree: Path,
    competition: Competition,
    operator: str,
    options: campaign.Options,
    progress: campaign.Progress,
    *,
    unsafe: bool,
    runs: Path | None = None,
) -> Path:
    """Measure what the classes need and the operator has not measured yet; return the folder of the operator's runs."""
    if not re.fullmatch(r"[A-Za-z0-9][\w.-]{0,60}", operator):
        raise CyclometerError(f"--operator {operator!r}: letters, digits and _ . - only")
    if runs is None and options.machine not in competition.machines:
        remedy = f"--machine; this competition has {', '.join(competition.machines)}"
        raise UnknownName("machine", options.machine, competition.machines, remedy)
    frozen = require_frozen(competition, tree)
    require_sandbox(unsafe=unsafe)
    results = (runs or competition.folder / RUNS) / operator
    labels = _labels(results, options.machine, competition)
    strict = any(load.limits.constant_time for load in competition.classes.values())
    with staged(tree, competition, labels) as root:
        catalogue = discovered(root, competition, labels)
        if "declared" in frozen:
            require_unchanged(frozen["declared"], declarations(competition, catalogue, labels))
        needs = _needs(competition, catalogue, labels)
        _remove_interrupted(results, options.machine)
        missing = survey(_complete(results), needs, options.machine).missing(needs)
        if missing:
            systems = sorted(f"{OPERATION}/{name}" for name in missing)  # not in the order of the names
            environment = campaign.prepare_environment(root, systems=systems, time_limit=options.check_seconds)
            if strict:
                environment = replace(environment, catalogue=followable(environment.catalogue, root))
            own = replace(options, constant_time=strict, seed=campaign.drawn_seed())
            loads = list(competition.classes.values())
            failed = measure_missing(environment, own, missing, loads, results, progress)
            takes_ad = {label: catalogue.primitives[f"{OPERATION}/{label}"].associated_data for label in needs}
            _note(results, options.machine, failed, takes_ad)
    return results / options.machine


def results_of(
    competition: Competition,
    as_of: datetime.date,
    attacks: Mapping[str, list[dict[str, Any]]],
    runs: Path | None = None,
) -> dict[str, list[ClassResult]]:
    """Return what every operator's runs say of each class, under the names of the submissions."""
    found: dict[str, list[ClassResult]] = {name: [] for name in competition.classes}
    frozen = read_frozen(competition.folder).get("declared")
    folder = runs or competition.folder / RUNS
    operators = sorted(each for each in folder.iterdir() if each.is_dir()) if folder.is_dir() else []
    for operator in operators:
        stored = _complete(operator)
        for machine in sorted({run.machine for run in stored}):
            for name, result in _results(competition, operator, machine, stored, frozen, attacks, as_of):
                found[name].append(result)
    return found


def _results(
    competition: Competition,
    operator: Path,
    machine: str,
    stored: list[StoredRun],
    frozen: Mapping[str, Any] | None,
    attacks: Mapping[str, list[dict[str, Any]]],
    as_of: datetime.date,
) -> list[tuple[str, ClassResult]]:
    labels, failed, takes_ad = _read_labels(operator, machine)
    names = {label: name for name, label in labels.items()}
    primitives: dict[str, Primitive] = {}
    for run in stored:
        if run.machine == machine and run.info:
            for label in (*names, competition.baseline.system):
                if facts := run.info.primitives.get(f"{OPERATION}/{label}"):
                    own = None if frozen is None else frozen.get(names.get(label, label), {})
                    primitives[label] = declared(label, facts, takes_ad.get(label, False), own, str(run.folder))
    results = []
    for name, load in competition.classes.items():
        needs = {label: frozenset(needed_points(load, replay=True)) for label in primitives}
        found = survey(stored, needs, machine, cost=cost_for([load]))
        if found.scope is None:
            continue
        material, context, hertz = read_material(found, needs, primitives, machine, failed)
        material = _named(material, names, attacks)
        ranking = rank(load, material, as_of=as_of)
        context = replace(context, machine=f"{operator.name}/{machine}")
        result = ClassResult(
            operator=operator.name, machine=machine, ranking=ranking, material=material, context=context, hertz=hertz
        )
        results.append((name, result))
    return results


def _named(material: Material, names: Mapping[str, str], attacks: Mapping[str, list[dict[str, Any]]]) -> Material:
    """Return the material with names instead of labels, and with the attacks on record."""

    def name(label: str) -> str:
        return names.get(label, label)

    primitives = {}
    for label, primitive in material.primitives.items():
        facts = {**primitive.facts, "attacks": [*primitive.facts.get("attacks", []), *attacks.get(name(label), [])]}
        primitives[name(label)] = replace(primitive, name=name(label), facts=facts)
    coverage = {
        name(label): replace(each, tuning=replace(each.tuning, primitive=name(label)))
        for label, each in material.coverage.items()
    }
    return replace(
        material,
        primitives=dict(sorted(primitives.items())),
        coverage=coverage,
        measured={name(label): each for label, each in material.measured.items()},
        sizes={name(label): each for label, each in material.sizes.items()},
        failures={name(label): _renamed(reason, names) for label, reason in material.failures.items()},
    )


def _renamed(reason: str, names: Mapping[str, str]) -> str:
    for label, name in names.items():
        reason = reason.replace(label, name)
    return reason


def _needs(competition: Competition, catalogue: Catalogue, labels: Labels) -> Needs:
    """Return what each system needs for the classes that its declaration admits it to; what none admits, for all.

    So a submission that is not secure enough is still built and checked, and its first failing case is known.
    """
    require_baseline(competition, catalogue)
    needs = {}
    for label in (*labels.values(), competition.baseline.system):
        primitive = catalogue.primitives[f"{OPERATION}/{label}"]
        carried = [load for load in competition.classes.values() if not unfit(load, primitive)]
        admitted = [load for load in carried if not insecure(load, primitive, None)]
        points = [needed_points(load, replay=True) for load in admitted or carried]
        needs[label] = frozenset().union(*points)
    return {label: points for label, points in needs.items() if points}


def _labels(results: Path, machine: str, competition: Competition) -> Labels:
    """Return the random labels of this operator on this machine, drawn the first time."""
    file = _labels_file(results, machine)
    if file.exists():
        return _read_labels(results, machine)[0]
    labels = new_labels(competition.submissions)
    with on_disk("write", file):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            json.dumps({"labels": labels, "failures": {}, "takes_ad": {}}, indent=1) + "\n", encoding="utf-8"
        )
    return labels


def _labels_file(results: Path, machine: str) -> Path:
    return results / f"{machine}.{LABELS}"


def _read_labels(results: Path, machine: str) -> tuple[dict[str, str], dict[str, str], dict[str, bool]]:
    """Return the labels of the submissions, why labels could not be measured, and which take associated data."""
    file = _labels_file(results, machine)
    try:
        content = json.loads(read_bytes(file, limit=MAX_HEADER))
        labels, failures, takes_ad = content["labels"], content["failures"], content["takes_ad"]
        if not (is_texts(labels) and is_texts(failures) and isinstance(takes_ad, dict)):
            raise TypeError
        return labels, failures, {label: bool(takes) for label, takes in takes_ad.items()}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadDeclaration(f"{file} is not a file of labels; restore it from a copy") from None
    except RefusedFile:
        raise NothingToDo(f"{file} is missing: these runs are not from `cyclometer competition run`") from None


def _note(results: Path, machine: str, failed: Mapping[str, str], takes_ad: Mapping[str, bool]) -> None:
    """Add to the labels what the stored runs do not say."""
    file = _labels_file(results, machine)
    labels, failures, _ = _read_labels(results, machine)
    content = {"labels": labels, "failures": {**failures, **failed}, "takes_ad": takes_ad}
    with on_disk("write", file):
        file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _remove_interrupted(results: Path, machine: str) -> None:
    """Remove what killed runs left, as nothing can complete it: the tree with the labels was temporary."""
    for run in list_runs(results):
        hidden = run.folder.name.startswith(".")
        if hidden and run.folder.parent.name == machine and run.state != "under way":
            remove_run(run)


def _complete(results: Path) -> list[StoredRun]:
    """Return an operator's complete runs; `RefusedFile` if one cannot be read, which must not just be missing."""
    stored = list_runs(results)
    for run in stored:
        if run.state == "unreadable":
            raise RefusedFile(run.reason)
    return [run for run in stored if run.state == "complete"]
