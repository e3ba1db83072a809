# SPDX-License-Identifier: MIT OR Apache-2.0
"""Composed primitives: data that names a composition and its parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cyclometer.discover import schema as declare
from cyclometer.errors import BadDeclaration, UnknownName
from cyclometer.records.catalogue import Composition, Primitive


def part_names(operation: Path) -> set[str]:
    """The parts that compositions of an operation are made of."""
    files = (operation / "compositions").glob("*/composition.toml")
    return {part for file in files for part in declare.read(declare.Composition, file).parts}


def in_order(composed: list[tuple[Path, declare.Primitive]]) -> list[tuple[Path, declare.Primitive]]:
    """Folders and declarations so that each comes after those of its parts: a part may be composed itself.
    (A system that is a part of itself comes last, and then lacks a part.)"""
    waiting, ordered = sorted(composed, key=lambda each: each[0]), []
    while waiting:
        names = {folder.name for folder, _ in waiting}
        ready = [each for each in waiting if not names & set(_named(each[1]))] or waiting
        ordered += ready
        waiting = [each for each in waiting if each not in ready]
    return ordered


def _named(declared: declare.Primitive) -> list[str]:
    """Every text of the declaration that may be the name of a part."""
    plain = declare.Primitive.model_fields
    return [value for key, value in declared.model_dump().items() if key not in plain and isinstance(value, str)]


def read_composed(
    operation: Path, folder: Path, declared: declare.Primitive, known: dict[str, Primitive]
) -> tuple[Composition, declare.Composition]:
    """The composition that a primitive.toml names, its parts resolved."""
    file = folder / "primitive.toml"
    home = operation / "compositions" / str(declared.composition)
    if not home.is_dir():
        there = [path.name for path in (operation / "compositions").glob("*")]
        raise UnknownName("composition", str(declared.composition), there, str(file))
    declaration = declare.read(declare.Composition, home / "composition.toml")
    parts = {}
    for part, part_operation in declaration.parts.items():
        name = getattr(declared, part, None)
        if name is None:
            raise BadDeclaration(f"{file}: composition {home.name!r} needs the key {part!r}")
        if f"{part_operation}/{name}" not in known:
            there = [p.name for p in known.values() if p.operation == part_operation]
            raise UnknownName(f"{part_operation} primitive", name, there, str(file))
        parts[part] = (part_operation, name)
    inner = _inner(parts, known, file)
    composed = Composition(
        name=home.name,
        folder=home,
        parts=parts,
        tuned_first=tuple(declaration.tuned_first),
        searched=declaration.searched,
        inner=inner,
    )
    return composed, declaration


def _inner(parts: dict[str, tuple[str, str]], known: dict[str, Primitive], file: Path) -> tuple[tuple[str, str], ...]:
    """The parts' parts. One program has one primitive of an operation: macros and functions have its name."""
    composed = [known["/".join(part)].composed for part in parts.values()]
    inner = tuple(part for each in composed if each for part in each.every_part)
    operations = [operation for operation, _ in {*parts.values(), *inner}]
    for operation in operations:
        if operations.count(operation) > 1:
            raise BadDeclaration(f"{file}: stands on two primitives of {operation}; they cannot be linked together")
    return inner


def composed_sizes(
    folder: Path,
    declared: declare.Primitive,
    declaration: declare.Composition,
    composed: Composition,
    known: dict[str, Primitive],
) -> dict[str, int]:
    """Sums such as key_bytes = mac.key_bytes + stream.key_bytes (or a number), unless the primitive says its own."""
    sizes = {}
    for name, terms in declaration.sizes.items():
        own = getattr(declared, name)
        if own is not None:
            sizes[name] = own
            continue
        total = 0
        for term in terms:
            if term.isdigit():
                total += int(term)
                continue
            part, _, size = term.partition(".")
            primitive = known["/".join(composed.parts[part])]
            if size not in primitive.sizes:
                raise BadDeclaration(f"{folder / 'primitive.toml'}: {primitive.key} has no size {size!r}")
            total += primitive.sizes[size]
        sizes[name] = total
    return sizes


def composed_facts(composed: Composition, known: dict[str, Primitive]) -> dict[str, Any]:
    """What a composed system inherits from its searched (or first) part, above all its level and its attacks."""
    facts = known["/".join(composed.parts[composed.searched or composed.tuned_first[0]])].facts
    security = ("security_bits", "security_bits_quantum", "security_source", "attacks")
    return {name: facts[name] for name in ("designers", "year", "source", "licence", *security) if name in facts}
