# SPDX-License-Identifier: MIT OR Apache-2.0
"""What systems declare of their security: recorded by the freeze, and the same in every operator's runs.

A run brings the declarations along by which its systems are ranked. An operator who changed them there would decide
who is secure enough.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from cyclometer.competition.files import DECLARATION, Competition
from cyclometer.competition.stage import PERSONAL, Labels
from cyclometer.discover.schema import Attack, Primitive
from cyclometer.discover.toml_files import problem_of
from cyclometer.errors import RefusedFile, UnknownName
from cyclometer.records import catalogue
from cyclometer.records.catalogue import Catalogue
from cyclometer.workload import OPERATION

Size = Annotated[int, Field(ge=0, le=1 << 31)]
_NOT_COMPARED = PERSONAL | {"first"}
"""Words about a system, which judge nothing."""


class Facts(Primitive):
    """A declaration as runs and the freeze store it: with attacks, sizes, and the names of a composition's parts."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Size | Annotated[str, Field(max_length=200)]]

    description: str = ""
    attacks: list[Attack] = Field(default_factory=list)
    tag_bytes: Size


class System(Facts):
    """A declaration of the freeze, which knows for compositions, too, whether associated data is taken."""

    associated_data: bool = False


_FROZEN = TypeAdapter(dict[str, System])


def require_baseline(competition: Competition, known: Catalogue) -> None:
    """Raise `UnknownName` unless the tree has the system that every cost is compared with."""
    name = competition.baseline.system
    if f"{OPERATION}/{name}" not in known.primitives:
        names = [each.name for each in known.primitives.values() if each.operation == OPERATION]
        raise UnknownName("system", name, names, f"{competition.folder / DECLARATION}: baseline.system")


def declarations(competition: Competition, known: Catalogue, labels: Labels) -> dict[str, dict[str, Any]]:
    """Return what each submission, and the baseline, declares; by the name of the system."""
    named = {**labels, competition.baseline.system: competition.baseline.system}
    systems = {name: known.primitives[f"{OPERATION}/{label}"] for name, label in named.items()}
    return {
        name: {**_compared({**each.facts, **each.sizes}), "associated_data": each.associated_data}
        for name, each in systems.items()
    }


def require_frozen_declarations(values: object, file: Path) -> None:
    """Raise `RefusedFile` unless a value of frozen.json maps systems to declarations."""
    try:
        _FROZEN.validate_json(json.dumps(values))
    except ValidationError as error:
        raise RefusedFile(f"{file}: declared: {problem_of(System, error)}") from None


def require_unchanged(frozen: Mapping[str, Any], now: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise `RefusedFile` if this Cyclometer's own parts of the systems declare something else than at the freeze."""
    for name, facts in now.items():
        if key := _difference(frozen[name], facts, facts["associated_data"]):
            raise RefusedFile(f"{name}: its {key} is not the one of the freeze; use the version of the freeze")


def declared(
    label: str, facts: Mapping[str, Any], associated_data: bool, frozen: Mapping[str, Any] | None, where: str
) -> catalogue.Primitive:
    """Return a system as a run has stored its declaration.

    `RefusedFile` if it is not a declaration, or not the one of the freeze (`frozen`; None: the freeze has none).
    """
    try:
        Facts.model_validate_json(json.dumps(facts))
    except ValidationError as error:
        raise RefusedFile(f"{where}: run.json: {label}: {problem_of(Facts, error)}") from None
    if frozen is not None and (key := _difference(frozen, facts, associated_data)):
        raise RefusedFile(f"{where}: run.json: {label}: {key} is not what was frozen")
    return catalogue.Primitive(
        operation=OPERATION,
        name=label,
        folder=Path(),
        sizes={},
        associated_data=associated_data,
        facts=dict(facts),
        vectors=(),
    )


def _difference(frozen: Mapping[str, Any], facts: Mapping[str, Any], associated_data: bool) -> str:
    """Return the first key that differs, or ''."""
    own = {**_compared(facts), "associated_data": associated_data}
    return next((key for key in sorted(frozen.keys() | own.keys()) if frozen.get(key) != own.get(key)), "")


def _compared(facts: Mapping[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(json.dumps({k: v for k, v in facts.items() if k not in _NOT_COMPARED}))
    return kept
