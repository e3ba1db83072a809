# SPDX-License-Identifier: MIT OR Apache-2.0
"""Names on the command line to primitives."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable

from cyclometer.errors import NothingToDo, UnknownName
from cyclometer.model import Catalogue, Primitive


def select(catalogue: Catalogue, names: Iterable[str]) -> list[Primitive]:
    """The primitives that the names stand for: `salsa20-poly1305`, `crypto_stream/salsa20`,
    `crypto_stream`, or a pattern such as `aes-*`. No names: the default operations' primitives.
    UnknownName, with the nearest known one, for a name that stands for none."""
    names = list(names)
    if not names:
        default = [p for p in catalogue.primitives.values() if catalogue.operations[p.operation].default]
        if not default:
            raise NothingToDo("the tree has no primitive of a default operation; name a system")
        return default
    chosen: dict[str, Primitive] = {}
    for name in names:
        found = {p.key: p for p in catalogue.primitives.values() if _matches(p, name)}
        if not found:
            known = [
                *catalogue.operations,
                *catalogue.primitives,
                *(p.name for p in catalogue.primitives.values()),
            ]
            raise UnknownName("system", name, known)
        chosen |= found
    return list(chosen.values())


def _matches(primitive: Primitive, name: str) -> bool:
    return any(
        fnmatch.fnmatchcase(candidate, name)
        for candidate in (primitive.operation, primitive.name, primitive.key)
    )
