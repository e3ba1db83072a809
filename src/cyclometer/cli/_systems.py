# SPDX-License-Identifier: MIT OR Apache-2.0
"""Names of systems on the command line to what the runs chosen hold."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence

from cyclometer import paths
from cyclometer.analyse import View, meets, remaining_bits
from cyclometer.analyse.contents import Systems
from cyclometer.discover.views import declaration_shown
from cyclometer.errors import NothingToDo, UnknownName
from cyclometer.records.run import RunInfo


def declared(operation: str, measures: Sequence[str]) -> tuple[str, list[View]] | None:
    """Return the title and the views that the tree declares for these measures; None of an operation it lacks."""
    known = declaration_shown(paths.root(), operation, measures)
    return (known.title, View.every(view.model_dump() for view in known.view)) if known else None


def chosen(systems: Systems, names: Sequence[str]) -> Systems:
    """The systems that names stand for: operation, primitive, operation/primitive, or a pattern of those."""
    ways = {(o, p): (o, p, f"{o}/{p}") for o, primitives in systems.items() for p in primitives}
    for name in names:
        if not any(fnmatch.fnmatchcase(way, name) for known in ways.values() for way in known):
            known = {way for several in ways.values() for way in several}
            raise UnknownName("system", name, sorted(known), "not in the runs chosen; `cyclometer run` measures more")
    found: Systems = {}
    for (operation, primitive), its in ways.items():
        if not names or any(fnmatch.fnmatchcase(way, name) for name in names for way in its):
            found.setdefault(operation, []).append(primitive)
    return found


def secure(systems: Systems, infos: Sequence[RunInfo], *, unbroken: bool, least_bits: int) -> tuple[Systems, list[str]]:
    """The systems as secure as asked, and a note on those that declare no level to compare."""
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
        raise NothingToDo("no system measured is as secure as asked; lower --min-security or drop --unbroken")
    return kept, notes
