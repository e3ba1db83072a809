# SPDX-License-Identifier: MIT OR Apache-2.0
"""The folder of a competition: competition.toml, workloads, submissions, and the record of attacks."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from cyclometer.discover.schema import Attack, Declaration
from cyclometer.discover.toml_files import read
from cyclometer.errors import BadDeclaration, NothingToDo, UnknownName
from cyclometer.untrusted import files_below, is_folder, name_problem
from cyclometer.workload import OPERATION, Workload
from cyclometer.workload.files import LimitsTable, Security, read_workload
from cyclometer.workload.workload import Limits, Requirement

DECLARATION = "competition.toml"
SUBMISSIONS, WORKLOADS, ATTACKS, RUNS = "submissions", "workloads", "attacks", "runs"

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][\w.-]{0,60}$")]


class Dates(Declaration):
    """[dates]: until when submissions may change, and when the result is published."""

    closes: datetime.date
    publishes: datetime.date


class Baseline(Declaration):
    """[baseline]: a system of the tree that every cost is compared with, the fastest known on that day."""

    system: str
    date: datetime.date


class ClassTable(Declaration):
    """[class.NAME]: a workload file, the limits and the least security; the last two replace the workload's own."""

    workload: str  # a file, from the competition's folder
    limits: LimitsTable | None = None
    security: Security | None = None


class CompetitionFile(Declaration):
    """competition.toml."""

    title: str
    operation: str
    machines: Annotated[list[Name], Field(min_length=1)]
    operators: Annotated[int, Field(ge=1)] = 2  # how many must agree
    dates: Dates
    baseline: Baseline
    classes: Annotated[dict[Name, ClassTable], Field(min_length=1, alias="class")]


class AttackFile(Attack):
    """attacks/<name>.toml: an attack as the tree records them, and the system that it is on."""

    system: str


@dataclass(frozen=True, kw_only=True)
class Competition:
    """A competition as its folder describes it."""

    folder: Path  # resolved
    title: str
    machines: tuple[str, ...]
    operators: int
    dates: Dates
    baseline: Baseline
    classes: Mapping[str, Workload]  # by the name of the class
    submissions: Mapping[str, Path]  # by name, sorted

    @property
    def systems(self) -> tuple[str, ...]:
        """The submissions and the baseline."""
        return (*self.submissions, self.baseline.system)

    def attacks(self, folder: Path | None = None) -> dict[str, list[dict[str, Any]]]:
        """Return the attacks on record, by system; those of another folder, if one is given."""
        found: dict[str, list[dict[str, Any]]] = {}
        for file in sorted((folder or self.folder / ATTACKS).glob("*.toml")):
            attack = read(AttackFile, file)
            if attack.system not in self.systems:
                raise UnknownName("system", attack.system, self.systems, f"{file}: an attack names a submission")
            found.setdefault(attack.system, []).append(
                attack.model_dump(mode="json", exclude_none=True, exclude={"system"})
            )
        return found


def read_competition(folder: Path) -> Competition:
    """Read and check a competition; `BadDeclaration`, `UnknownName` or `NothingToDo` say what is wrong with it."""
    folder = folder.resolve()
    file = folder / DECLARATION
    if not file.exists():
        raise BadDeclaration(f"{folder} is no competition: it has no {DECLARATION}; docs/competition.md shows one")
    declared = read(CompetitionFile, file)
    if declared.operation != OPERATION:
        raise UnknownName("operation", declared.operation, [OPERATION], f"{file}: competitions are of {OPERATION}")
    if declared.dates.publishes < declared.dates.closes:
        raise BadDeclaration(f"{file}: dates.publishes is before dates.closes")
    submissions = _submissions(folder)
    if declared.baseline.system in submissions:
        raise BadDeclaration(
            f"{file}: the baseline {declared.baseline.system} is also a submission; rename that folder"
        )
    return Competition(
        folder=folder,
        title=declared.title,
        machines=tuple(declared.machines),
        operators=declared.operators,
        dates=declared.dates,
        baseline=declared.baseline,
        classes={name: _load(folder, name, each) for name, each in declared.classes.items()},
        submissions=submissions,
    )


def _load(folder: Path, name: str, declared: ClassTable) -> Workload:
    """Return the workload of a class, under the name of the class."""
    file = folder / declared.workload
    if not file.resolve().is_relative_to(folder / WORKLOADS):
        where = f"{folder / DECLARATION}: class.{name}.workload"
        raise BadDeclaration(f"{where} {declared.workload!r} is not a file in {WORKLOADS}/; copy it there")
    load = replace(read_workload(file), name=name)
    if declared.limits:
        load = replace(load, limits=Limits(**declared.limits.model_dump()))
    if declared.security:
        values = declared.security.model_dump()
        load = replace(load, security=Requirement(**{**values, "forgery": values["forgery"] or ""}))
    return load


def _submissions(folder: Path) -> dict[str, Path]:
    home = folder / SUBMISSIONS
    entries = sorted(home.iterdir()) if is_folder(home) else []
    found = {entry.name: entry for entry in entries if is_folder(entry) and entry.name[0] != "."}
    for name, entry in found.items():
        if entry.is_symlink():  # what it leads to would be measured, but not frozen
            raise BadDeclaration(f"{entry} is a link; a submission is a folder with its own files")
        if problem := name_problem(name):
            raise BadDeclaration(f"{entry}: {problem}")
        if not re.match(r"[A-Za-z0-9]", name):
            raise BadDeclaration(f"{entry}: the name of a submission begins with a letter or digit")
    if not found:
        raise NothingToDo(f"{home} has no submission; each is a folder with a primitive.toml (docs/competition.md)")
    return found


def own_files(folder: Path) -> list[Path]:
    """Return the regular files below a folder of a competition; links that lead out of it are not among them."""
    return files_below(folder, folder.resolve()) if is_folder(folder) else []
