# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which executables a primitive asks for: every implementation with every compiler."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from cyclometer.build.builder import Request
from cyclometer.build.composed import compose
from cyclometer.errors import UnknownName
from cyclometer.model import Catalogue, Executable, Implementation, Primitive


def tuned_first(primitives: Iterable[Primitive]) -> list[str]:
    """Keys of the parts that the composed ones among them need tuned beforehand."""
    return sorted({key for primitive in primitives for key in _first_parts(primitive)})


def requests(
    catalogue: Catalogue, primitive: Primitive, tuned: Mapping[str, Executable], names: Sequence[str] = ()
) -> list[Request]:
    """All requests of a primitive: its own implementations' and, where it is composed and its parts are
    tuned (key -> chosen executable), the composed ones'. `names` restricts the implementations."""
    plain = [
        Request(primitive=primitive, implementation=implementation, compiler=compiler)
        for implementation in _implementations(catalogue, primitive.key, names)
        for compiler in catalogue.compilers
    ]
    return plain + _composed(catalogue, primitive, tuned, names)


def with_compilers(catalogue: Catalogue, names: Sequence[str]) -> Catalogue:
    """The catalogue with only the compilers named, if any are; UnknownName for one that does not work here."""
    known = {compiler.name for compiler in catalogue.compilers}
    for name in names:
        if name not in known:
            raise UnknownName("compiler", name, known, "or it does not work here")
    return replace(catalogue, compilers=tuple(c for c in catalogue.compilers if not names or c.name in names))


def check_names(catalogue: Catalogue, primitives: Iterable[Primitive], names: Sequence[str]) -> None:
    """UnknownName for an implementation that none of the primitives has."""
    keys = {key for p in primitives for key in (p.key, *_searched(p))}
    known = {i.name for key in keys for i in _implementations(catalogue, key, ())}
    for name in names:
        if name not in known:
            raise UnknownName("implementation", name, known)


def _composed(
    catalogue: Catalogue, primitive: Primitive, tuned: Mapping[str, Executable], names: Sequence[str]
) -> list[Request]:
    composed = primitive.composed
    if not composed or any(key not in tuned for key in _first_parts(primitive)):
        return []
    searched = [i for key in _searched(primitive) for i in _implementations(catalogue, key, names)]
    parts = {part: tuned["/".join(composed.parts[part])] for part in composed.tuned_first}
    return compose(primitive, searched, catalogue.compilers, parts)


def _first_parts(primitive: Primitive) -> list[str]:
    composed = primitive.composed
    return ["/".join(composed.parts[part]) for part in composed.tuned_first] if composed else []


def _searched(primitive: Primitive) -> list[str]:
    composed = primitive.composed
    return ["/".join(composed.parts[composed.searched])] if composed else []


def _implementations(catalogue: Catalogue, key: str, names: Sequence[str]) -> list[Implementation]:
    found = [i for i in catalogue.implementations if f"{i.operation}/{i.primitive}" == key]
    return [i for i in found if not names or i.name in names]
