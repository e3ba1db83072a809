# SPDX-License-Identifier: MIT OR Apache-2.0
"""The executables to build for a primitive: every implementation with every compiler."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from cyclometer.compile.composed import compose
from cyclometer.errors import UnknownName
from cyclometer.records.catalogue import Catalogue, Compiler, Implementation, Primitive
from cyclometer.records.executable import BuildRequest, Executable
from cyclometer.records.tuning import Tuning


def dependency_levels(
    catalogue: Catalogue, primitives: Iterable[Primitive], timed: Collection[str] = ()
) -> list[list[str]]:
    """Return the keys of all dependencies of the primitives in levels; each level depends only on those before it.

    Dependencies are the parts of a composition that are tuned first, and the primitives that a foreign
    implementation includes. The searched part counts, too, if it is among the systems `timed`, so that its leaders
    are known before the composition is built.
    """
    depth: dict[str, int] = {}

    def dependencies(key: str) -> list[str]:
        return [*_tuned_first(catalogue, key), *(k for k in _searched(catalogue.primitives[key]) if k in timed)]

    def visit(key: str, path: tuple[str, ...]) -> int:
        if key not in depth:
            needs = [need for need in dependencies(key) if need not in path]  # cut a cycle at any point
            depth[key] = 1 + max((visit(need, (*path, key)) for need in needs), default=-1)
        return depth[key]

    for need in {need for primitive in primitives for need in dependencies(primitive.key)}:
        visit(need, ())
    return [sorted(key for key in depth if depth[key] == level) for level in sorted(set(depth.values()))]


def build_requests(
    catalogue: Catalogue,
    primitive: Primitive,
    tuned: Mapping[str, Executable],
    names: Sequence[str] = (),
    leaders: Collection[Tuning] = (),
) -> list[BuildRequest]:
    """Return the build requests of a primitive, compositions of `tuned` parts (key -> executable) included.

    `names` restricts the implementations. If some implementations of a searched part are `leaders` (tunings
    without a compiler), only those are composed.
    """
    own = [
        _request(primitive, implementation, compiler, tuned)
        for implementation in _implementations(catalogue, primitive.key, names)
        for compiler in compilers_for(implementation, catalogue.compilers)
    ]
    return own + _composed(catalogue, primitive, tuned, names, leaders)


def compilers_for(implementation: Implementation, compilers: Sequence[Compiler]) -> Sequence[Compiler]:
    """Return all compilers; for a library, whose code is compiled already, one for the glue.

    In C that is one that builds the harness, because it takes half of the others' time for a short source.
    """
    if not implementation.library:
        return compilers
    is_c = all(source.suffix == ".c" for source in implementation.sources)
    quick = [compiler for compiler in compilers if compiler.builds_harness and is_c]
    return (quick or compilers)[:1]


def _request(
    primitive: Primitive,
    implementation: Implementation,
    compiler: Compiler,
    tuned: Mapping[str, Executable],
) -> BuildRequest:
    needs = implementation.foreign.requires if implementation.foreign else ()
    dependencies = [tuned[need] for need in needs if need in tuned]
    return BuildRequest(
        primitive=primitive,
        implementation=implementation,
        compiler=compiler,
        objects=tuple(dict.fromkeys(o for executable in dependencies for o in executable.objects)),
        dependencies=tuple(e.implementation for e in dependencies),
        exported_headers=tuple(
            h for e in dependencies if e.implementation.foreign for h in e.implementation.foreign.exported_headers
        ),
    )


def with_compilers(catalogue: Catalogue, names: Sequence[str], every: bool) -> Catalogue:
    """Return the catalogue with only the named compilers; if none are named, with the usual ones, or `every` one.

    UnknownName for a compiler that does not exist or does not work here.
    """
    valid = {compiler.name for compiler in catalogue.compilers}
    for name in names:
        if name not in valid:
            raise UnknownName("compiler", name, valid, "or it does not work here")
    usual = tuple(c for c in catalogue.compilers if every or c.usual) or catalogue.compilers
    return replace(catalogue, compilers=tuple(c for c in catalogue.compilers if c.name in names) or usual)


def check_names(catalogue: Catalogue, primitives: Iterable[Primitive], names: Sequence[str]) -> None:
    """Raise UnknownName for an implementation that none of the primitives has."""
    keys = {key for p in primitives for key in (p.key, *_searched(p))}
    valid = {i.name for key in keys for i in _implementations(catalogue, key, ())}
    for name in names:
        if name not in valid:
            raise UnknownName("implementation", name, valid)


def _composed(
    catalogue: Catalogue,
    primitive: Primitive,
    tuned: Mapping[str, Executable],
    names: Sequence[str],
    leaders: Collection[Tuning],
) -> list[BuildRequest]:
    composed = primitive.composed
    if not composed or any(key not in tuned for key in _tuned_first(catalogue, primitive.key)):
        return []
    searched = [i for key in _searched(primitive) for i in _leading(_implementations(catalogue, key, names), leaders)]
    if not composed.searched:  # every part is tuned first: only the combiner is compiled
        combiner = Implementation(
            operation=primitive.operation, primitive=primitive.name, name=composed.name, folders=(), sources=()
        )
        searched = [combiner]
    # A library may implement both the part and the composed system.
    taken = {i.name for i in _implementations(catalogue, primitive.key, ())}
    searched = [replace(i, name=f"{composed.name}-{i.name}") if i.name in taken else i for i in searched]
    parts = {part: tuned["/".join(composed.parts[part])] for part in composed.tuned_first}
    return compose(primitive, searched, partial(compilers_for, compilers=catalogue.compilers), parts)


def _tuned_first(catalogue: Catalogue, key: str) -> list[str]:
    """Return the keys of the primitives that must be tuned before this one is built."""
    composed = catalogue.primitives[key].composed
    parts = ["/".join(composed.parts[part]) for part in composed.tuned_first] if composed else []
    foreign = {need for i in _implementations(catalogue, key, ()) if i.foreign for need in i.foreign.requires}
    return [*parts, *sorted(need for need in foreign if need in catalogue.primitives)]


def _searched(primitive: Primitive) -> list[str]:
    composed = primitive.composed
    return ["/".join(composed.parts[composed.searched])] if composed and composed.searched else []


def _implementations(catalogue: Catalogue, key: str, names: Sequence[str]) -> list[Implementation]:
    return [
        i for i in catalogue.implementations if f"{i.operation}/{i.primitive}" == key and (not names or i.name in names)
    ]


def _leading(implementations: Sequence[Implementation], leaders: Collection[Tuning]) -> Sequence[Implementation]:
    """Return the implementations among the leaders; all of them if there are none."""
    leading = [
        i
        for i in implementations
        if Tuning(operation=i.operation, primitive=i.primitive, implementation=i.name, compiler="") in leaders
    ]
    return leading or implementations
