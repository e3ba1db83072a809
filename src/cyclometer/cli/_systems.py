# SPDX-License-Identifier: MIT OR Apache-2.0
"""Resolution of the systems named on the command line against what the selected runs contain."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from pathlib import Path

from cyclometer import paths
from cyclometer.analyse import View, meets, remaining_bits
from cyclometer.analyse.contents import Systems
from cyclometer.cli._folders import is_path
from cyclometer.discover import discover
from cyclometer.discover.views import declaration_shown
from cyclometer.errors import NothingToDo, UnknownName, nearest
from cyclometer.records.run import RunInfo


def declared(operation: str, measures: Sequence[str]) -> tuple[str, list[View]] | None:
    """Return the title and views that the tree declares for these measures; None if it lacks the operation."""
    found = declaration_shown(paths.root(), operation, measures)
    return (found.title, View.every((view.model_dump() for view in found.view), found.units.length)) if found else None


def chosen(systems: Systems, names: Sequence[str]) -> Systems:
    """Return the systems that match an operation, a primitive, operation/primitive, or a pattern of these.

    Raises `UnknownName` for a name that matches nothing.
    """
    every = [(operation, primitive) for operation, primitives in systems.items() for primitive in primitives]
    known = {spelling for system in every for spelling in _spellings(*system)}
    for name in map(_without_folder, names):
        if not any(fnmatch.fnmatchcase(spelling, name) for spelling in known):
            in_tree = set() if nearest(name, known) else _in_tree()
            if name in in_tree:
                raise NothingToDo(f"{name} is not in the selected runs; `cyclometer run {name}` measures it")
            near = sorted(in_tree or known)
            raise UnknownName("system", name, near, "not in the selected runs; `cyclometer run` measures it")
    selected: Systems = {}
    for operation, primitive in every:
        if not names or is_named(operation, primitive, names):
            selected.setdefault(operation, []).append(primitive)
    return selected


def is_named(operation: str, primitive: str, names: Sequence[str]) -> bool:
    """Return whether one of the names or patterns is for this system, as in `chosen`."""
    patterns = list(map(_without_folder, names))
    return any(fnmatch.fnmatchcase(each, name) for name in patterns for each in _spellings(operation, primitive))


def _spellings(operation: str, primitive: str) -> tuple[str, ...]:
    return operation, primitive, f"{operation}/{primitive}"


def _without_folder(name: str) -> str:
    """Return the name of the system that a folder holds; another name as it is."""
    return Path(name).name if is_path(name) else name


def _in_tree() -> set[str]:
    """Return the names of the tree's systems and operations, for slips in names of what was not measured."""
    found = discover(paths.root()).primitives.values()
    return {name for primitive in found for name in (primitive.operation, primitive.name, primitive.key)}


def secure(systems: Systems, infos: Sequence[RunInfo], *, unbroken: bool, least_bits: int) -> tuple[Systems, list[str]]:
    """Return the systems that are secure enough, and a note for each that declares no security level.

    Raises `NothingToDo` if none is left.
    """
    declared = {key: declaration for info in infos for key, declaration in info.primitives.items()}
    kept: Systems = {}
    notes = []
    for operation, name in [(operation, name) for operation, names in systems.items() for name in names]:
        declaration = declared.get(f"{operation}/{name}", {})
        if meets(declaration, unbroken=unbroken, least_bits=least_bits):
            kept.setdefault(operation, []).append(name)
        elif least_bits and remaining_bits(declaration) is None:
            notes.append(f"{name} left out: it declares no security level")
    if systems and not kept:
        raise NothingToDo("no measured system is secure enough; lower --min-security or drop --unbroken")
    return kept, notes
