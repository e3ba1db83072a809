# SPDX-License-Identifier: MIT OR Apache-2.0
"""Composed primitives: data that names a composition and its parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cyclometer.discover import declarations as declare
from cyclometer.errors import BadDeclaration, UnknownName
from cyclometer.model import Composed, Primitive


def part_names(operation: Path) -> set[str]:
    """The parts that compositions of an operation are made of."""
    files = (operation / "compositions").glob("*/composition.toml")
    return {part for file in files for part in declare.read(declare.Composition, file).parts}


def read_composed(
    operation: Path, folder: Path, declared: declare.Primitive, known: dict[str, Primitive]
) -> tuple[Composed, declare.Composition]:
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
    composed = Composed(
        name=home.name,
        folder=home,
        parts=parts,
        tuned_first=tuple(declaration.tuned_first),
        searched=declaration.searched,
    )
    return composed, declaration


def composed_sizes(
    folder: Path, declaration: declare.Composition, composed: Composed, known: dict[str, Primitive]
) -> dict[str, int]:
    """Sums such as key_bytes = mac.key_bytes + stream.key_bytes."""
    sizes = {}
    for name, terms in declaration.sizes.items():
        total = 0
        for term in terms:
            part, _, size = term.partition(".")
            primitive = known["/".join(composed.parts[part])]
            if size not in primitive.sizes:
                raise BadDeclaration(f"{folder / 'primitive.toml'}: {primitive.key} has no size {size!r}")
            total += primitive.sizes[size]
        sizes[name] = total
    return sizes


def composed_facts(composed: Composed, known: dict[str, Primitive]) -> dict[str, Any]:
    """What a composed system inherits from its searched part, above all its level and its attacks."""
    facts = known["/".join(composed.parts[composed.searched])].facts
    inherited = ("designers", "year", "source", "security_bits", "licence", "attacks")
    return {name: facts[name] for name in inherited if name in facts}
