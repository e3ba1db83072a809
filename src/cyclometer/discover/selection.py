# SPDX-License-Identifier: MIT OR Apache-2.0
"""From names on the command line to primitives."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from cyclometer.errors import NothingToDo, UnknownName, letters, nearest, some_of
from cyclometer.records.catalogue import Catalogue, Primitive
from cyclometer.untrusted import is_folder

_WILDCARDS = frozenset("*?[")
_EVERYTHING = "`cyclometer run --list`"


def select(catalogue: Catalogue, names: Iterable[str]) -> list[Primitive]:
    """Return the primitives that the names mean: `salsa20-poly1305`, `crypto_stream/salsa20`, `crypto_stream`, `aes-*`.

    Without names: the first table's primitives among the default operations', or all of these if none is declared
    `first`. `UnknownName`, with the nearest known name, if one matches nothing.
    """
    names = list(names)
    if catalogue.asked:  # a foreign tree, already read for exactly these names
        return [catalogue.primitives[key] for key in catalogue.asked]
    if not names:
        default = [p for p in catalogue.primitives.values() if catalogue.operations[p.operation].default]
        if not default:
            raise NothingToDo("the tree has no primitive of a default operation; name a system")
        return [p for p in default if p.facts.get("first")] or default
    chosen: dict[str, Primitive] = {}
    for name in names:
        matching = {p.key: p for p in catalogue.primitives.values() if matches(p.operation, p.name, name)}
        if not matching:
            raise _unknown(catalogue, name)
        chosen |= matching
    return list(chosen.values())


def _unknown(catalogue: Catalogue, name: str) -> UnknownName:
    """Return the error for a name that matches nothing, with what it may mean."""
    if is_folder(name):
        return UnknownName("system", name, (), f"for the folder of that name, write ./{name}")
    known = [*catalogue.operations, *catalogue.primitives, *(p.name for p in catalogue.primitives.values())]
    if alike := _alike(catalogue.primitives.values(), name.lower(), nearest(name, known)):
        return UnknownName("system", name, (), some_of(alike, _EVERYTHING), near=alike[0])
    return UnknownName("system", name, known, f"{_EVERYTHING} lists all")


def _alike(primitives: Collection[Primitive], name: str, near: str) -> list[str]:
    """Return the primitives that are called so elsewhere: x25519, kyber768, gcm. None if `near` is a better answer."""
    if letters(near) == letters(name):
        return []
    so_called = [p.key for p in primitives if name in _described(p) or name in p.name]
    family = "" if near else re.sub(r"[-_]?\d+$", "", name)
    return so_called or [p.key for p in primitives if family in _described(p)]


def _described(primitive: Primitive) -> set[str]:
    """Return the words of its description: Kyber, X25519, RSA."""
    return set(re.findall(r"[^\W_][\w+-]*", primitive.facts.get("description", "").lower()))


def first_table(catalogue: Catalogue) -> Catalogue:
    """Return the catalogue with only the implementations of the first table, which is quick to measure."""
    return replace(catalogue, implementations=tuple(i for i in catalogue.implementations if i.first))


def default_operations(catalogue: Catalogue) -> tuple[str, ...]:
    """Return the names of the operations that are used if none is named."""
    return tuple(operation.name for operation in catalogue.operations.values() if operation.default)


def matches(operation: str, primitive: str, pattern: str, implementation: str = "") -> bool:
    """Return whether a pattern matches a primitive by operation, name or both, or matches the implementation."""
    candidates = [operation, primitive, f"{operation}/{primitive}"]
    if implementation:
        candidates += [f"{operation}/{primitive}/{implementation}", f"{primitive}/{implementation}"]
    if _WILDCARDS.isdisjoint(pattern):
        return pattern in candidates
    return any(fnmatch.fnmatchcase(candidate, pattern) for candidate in candidates)


def first_answer(catalogue: Catalogue) -> Catalogue:
    """Return the catalogue with one compiler, and without the libraries that the first table leaves out.

    A primitive that has nothing else keeps them. So all systems are measured in the time that a user waits for.
    """
    first = {f"{i.operation}/{i.primitive}" for i in catalogue.implementations if i.first}
    kept = [i for i in catalogue.implementations if i.first or f"{i.operation}/{i.primitive}" not in first]
    return replace(catalogue, implementations=tuple(kept), compilers=catalogue.compilers[:1])
