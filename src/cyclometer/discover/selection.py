# SPDX-License-Identifier: MIT OR Apache-2.0
"""Names on the command line to primitives."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable
from dataclasses import replace

from cyclometer.errors import NothingToDo, UnknownName
from cyclometer.records.catalogue import Catalogue, Primitive


def select(catalogue: Catalogue, names: Iterable[str]) -> list[Primitive]:
    """The primitives that the names stand for: `salsa20-poly1305`, `crypto_stream/salsa20`,
    `crypto_stream`, or a pattern such as `aes-*`. No names: the default operations' primitives that are
    of the first table, or all of them where none is.
    UnknownName, with the nearest known one, for a name that stands for none."""
    names = list(names)
    if catalogue.asked:  # a foreign tree was read for these names and no others
        return [catalogue.primitives[key] for key in catalogue.asked]
    if not names:
        default = [p for p in catalogue.primitives.values() if catalogue.operations[p.operation].default]
        if not default:
            raise NothingToDo("the tree has no primitive of a default operation; name a system")
        return [p for p in default if p.facts.get("first")] or default
    chosen: dict[str, Primitive] = {}
    for name in names:
        found = {p.key: p for p in catalogue.primitives.values() if matches(p.operation, p.name, name)}
        if not found:
            known = [
                *catalogue.operations,
                *catalogue.primitives,
                *(p.name for p in catalogue.primitives.values()),
            ]
            raise UnknownName("system", name, known)
        chosen |= found
    return list(chosen.values())


def first_table(catalogue: Catalogue) -> Catalogue:
    """The catalogue with the libraries of the first table alone, which is for those in a hurry."""
    return replace(catalogue, implementations=tuple(i for i in catalogue.implementations if i.first))


def default_operations(catalogue: Catalogue) -> tuple[str, ...]:
    """The operations that are meant where none is named."""
    return tuple(operation.name for operation in catalogue.operations.values() if operation.default)


def matches(operation: str, primitive: str, pattern: str, implementation: str = "") -> bool:
    """Whether a pattern means this primitive: by its operation, its name, or both; or this implementation."""
    candidates = [operation, primitive, f"{operation}/{primitive}"]
    if implementation:
        candidates += [f"{operation}/{primitive}/{implementation}", f"{primitive}/{implementation}"]
    return any(fnmatch.fnmatchcase(candidate, pattern) for candidate in candidates)
