# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which executables a primitive asks for: every implementation with every compiler."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from cyclometer.compile.composed import compose
from cyclometer.errors import UnknownName
from cyclometer.records.catalogue import Catalogue, Compiler, Implementation, Primitive
from cyclometer.records.executable import BuildRequest, Executable
from cyclometer.records.tuning import Tuning


def dependency_levels(
    catalogue: Catalogue, primitives: Iterable[Primitive], raced: Collection[str] = ()
) -> list[list[str]]:
    """Keys of all that the primitives stand on (the parts that a composition has tuned beforehand, what a
    foreign implementation includes), in levels: each stands only on those before it. A part that a composition
    searches counts where it is one of those `raced`, so that it is known who is ahead."""
    depth: dict[str, int] = {}

    def below(key: str) -> list[str]:
        return [*_needs(catalogue, key), *(k for k in _searched(catalogue.primitives[key]) if k in raced)]

    def visit(key: str, path: tuple[str, ...]) -> int:
        if key not in depth:
            needs = [need for need in below(key) if need not in path]  # a circle is cut anywhere
            depth[key] = 1 + max((visit(need, (*path, key)) for need in needs), default=-1)
        return depth[key]

    for need in {need for primitive in primitives for need in below(primitive.key)}:
        visit(need, ())
    return [sorted(key for key in depth if depth[key] == level) for level in sorted(set(depth.values()))]


def build_requests(
    catalogue: Catalogue,
    primitive: Primitive,
    tuned: Mapping[str, Executable],
    names: Sequence[str] = (),
    ahead: Collection[Tuning] = (),
) -> list[BuildRequest]:
    """All requests of a primitive: its own implementations' and, where it is composed and its parts are
    tuned (key -> chosen executable), the composed ones'. `names` restricts the implementations; where some of a
    searched part are `ahead` (no compiler named), only those are composed."""
    plain = [
        _request(catalogue, primitive, implementation, compiler, tuned)
        for implementation in _implementations(catalogue, primitive.key, names)
        for compiler in compilers_for(implementation, catalogue.compilers)
    ]
    return plain + _composed(catalogue, primitive, tuned, names, ahead)


def compilers_for(implementation: Implementation, compilers: Sequence[Compiler]) -> Sequence[Compiler]:
    """All of them; but a library's code is compiled already, and for its glue one does."""
    return compilers[:1] if implementation.library else compilers


def _request(
    catalogue: Catalogue,
    primitive: Primitive,
    implementation: Implementation,
    compiler: Compiler,
    tuned: Mapping[str, Executable],
) -> BuildRequest:
    needs = implementation.foreign.requires if implementation.foreign else ()
    below = [tuned[need] for need in needs if need in tuned]
    return BuildRequest(
        primitive=primitive,
        implementation=implementation,
        compiler=compiler,
        objects=tuple(dict.fromkeys(o for executable in below for o in executable.objects)),
        dependencies=tuple(e.implementation for e in below),
        exported_headers=tuple(
            h for e in below if e.implementation.foreign for h in e.implementation.foreign.exported_headers
        ),
    )


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
    catalogue: Catalogue,
    primitive: Primitive,
    tuned: Mapping[str, Executable],
    names: Sequence[str],
    ahead: Collection[Tuning],
) -> list[BuildRequest]:
    composed = primitive.composed
    if not composed or any(key not in tuned for key in _needs(catalogue, primitive.key)):
        return []
    searched = [i for key in _searched(primitive) for i in _ahead(_implementations(catalogue, key, names), ahead)]
    if not composed.searched:  # every part is tuned first: the combiner alone is compiled
        alone = Implementation(
            operation=primitive.operation, primitive=primitive.name, name=composed.name, folders=(), sources=()
        )
        searched = [alone]
    # A library may have both the part and the whole.
    taken = {i.name for i in _implementations(catalogue, primitive.key, ())}
    searched = [replace(i, name=f"{composed.name}-{i.name}") if i.name in taken else i for i in searched]
    parts = {part: tuned["/".join(composed.parts[part])] for part in composed.tuned_first}
    return compose(primitive, searched, catalogue.compilers, parts)


def _needs(catalogue: Catalogue, key: str) -> list[str]:
    """What must be tuned before this primitive is built."""
    composed = catalogue.primitives[key].composed
    parts = ["/".join(composed.parts[part]) for part in composed.tuned_first] if composed else []
    foreign = {need for i in _implementations(catalogue, key, ()) if i.foreign for need in i.foreign.requires}
    return [*parts, *sorted(need for need in foreign if need in catalogue.primitives)]


def _searched(primitive: Primitive) -> list[str]:
    composed = primitive.composed
    return ["/".join(composed.parts[composed.searched])] if composed and composed.searched else []


def _implementations(catalogue: Catalogue, key: str, names: Sequence[str]) -> list[Implementation]:
    found = [i for i in catalogue.implementations if f"{i.operation}/{i.primitive}" == key]
    return [i for i in found if not names or i.name in names]


def _ahead(implementations: Sequence[Implementation], ahead: Collection[Tuning]) -> Sequence[Implementation]:
    """Those that are ahead; all where nothing is known of who is."""
    best = [
        i
        for i in implementations
        if Tuning(operation=i.operation, primitive=i.primitive, implementation=i.name, compiler="") in ahead
    ]
    return best or implementations
