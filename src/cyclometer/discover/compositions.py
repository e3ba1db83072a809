# SPDX-License-Identifier: MIT OR Apache-2.0
"""Composed primitives: TOML that names a composition and its parts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from cyclometer.discover import schema, toml_files
from cyclometer.errors import BadDeclaration, UnknownName
from cyclometer.records.catalogue import Composition, Primitive
from cyclometer.untrusted import shortened

_SECURITY = (
    "security_bits",
    "security_bits_quantum",
    "security_source",
    "block_bits",
    "data_limit",
    "data_limit_source",
    "attacks",
)


_SUMMAND = r"(\d{1,9}|([a-z]\w*)\.[a-z]\w*)"
_TERM = re.compile(rf"{_SUMMAND}|min\( *{_SUMMAND}( *, *{_SUMMAND})* *\)", re.ASCII)
_PART = re.compile(r"([a-z]\w*)\.", re.ASCII)


def read_composition(file: Path) -> schema.Composition:
    """Read a composition.toml; `BadDeclaration` names what is not one of its parts, or no sum of sizes."""
    declared = toml_files.read(schema.Composition, file)
    terms = [(f"sizes.{name}", term) for name, summed in declared.sizes.items() for term in summed]
    for key, term in terms:
        if not _TERM.fullmatch(term):
            raise BadDeclaration(f"{file}: {key}: {shortened(term)!r} is no number, part.size or min(...) of these")
    named = [(key, part) for key, term in terms for part in _PART.findall(term)]
    named += [("tuned_first", part) for part in declared.tuned_first]
    named += [(key, part) for key in ("searched", "security") if (part := getattr(declared, key))]
    for key, part in named:
        if part not in declared.parts:
            known = ", ".join(declared.parts) or "it has none"
            raise BadDeclaration(f"{file}: {key}: {shortened(part)!r} is not one of its parts ({known})")
    if not (declared.searched or declared.tuned_first):
        raise BadDeclaration(f"{file}: name the parts in tuned_first, or in searched the one that is searched")
    return declared


def part_names(operation: Path) -> set[str]:
    """Return the names of the parts that an operation's compositions declare."""
    files = (operation / "compositions").glob("*/composition.toml")
    return {part for file in files for part in read_composition(file).parts}


def in_dependency_order(composed: list[tuple[Path, schema.Primitive]]) -> list[tuple[Path, schema.Primitive]]:
    """Sort folders and declarations so that each comes after its parts, which may be composed themselves.

    A primitive that is part of itself comes last; resolving its parts then fails.
    """
    pending, ordered = sorted(composed, key=lambda item: item[0]), []
    while pending:
        names = {folder.name for folder, _ in pending}
        ready = [item for item in pending if not names & set(_possible_parts(item[1]))] or pending
        ordered += ready
        pending = [item for item in pending if item not in ready]
    return ordered


def _possible_parts(declared: schema.Primitive) -> list[str]:
    """Return every string of the declaration that may name a part."""
    plain = schema.Primitive.model_fields
    return [value for key, value in declared.model_dump().items() if key not in plain and isinstance(value, str)]


def read_composed(
    operation: Path, folder: Path, declared: schema.Primitive, primitives: dict[str, Primitive]
) -> tuple[Composition, schema.Composition]:
    """Return the composition that a primitive.toml names, its parts resolved, and its declaration.

    `UnknownName` if the composition or a part does not exist; `BadDeclaration` if a part is not named.
    """
    file = folder / "primitive.toml"
    composition_folder = operation / "compositions" / str(declared.composition)
    if not composition_folder.is_dir():
        available = [path.name for path in (operation / "compositions").glob("*")]
        raise UnknownName("composition", str(declared.composition), available, str(file))
    declaration = read_composition(composition_folder / "composition.toml")
    parts = {}
    for part, part_operation in declaration.parts.items():
        name = getattr(declared, part, None)
        if name is None:
            raise BadDeclaration(f"{file}: composition {composition_folder.name!r} needs the key {part!r}")
        if f"{part_operation}/{name}" not in primitives:
            available = [p.name for p in primitives.values() if p.operation == part_operation]
            raise UnknownName(f"{part_operation} primitive", name, available, str(file))
        parts[part] = (part_operation, name)
    return composed_of(composition_folder, declaration, parts, primitives, file), declaration


def composed_of(
    folder: Path,
    declaration: schema.Composition,
    parts: dict[str, tuple[str, str]],
    primitives: dict[str, Primitive],
    file: Path,
) -> Composition:
    """Return a composition of these parts; `BadDeclaration`, which names the file, if they cannot be linked."""
    return Composition(
        name=folder.name,
        folder=folder,
        parts=parts,
        tuned_first=tuple(declaration.tuned_first),
        searched=declaration.searched,
        inner=_inner(parts, primitives, file),
    )


def _inner(
    parts: dict[str, tuple[str, str]], primitives: dict[str, Primitive], file: Path
) -> tuple[tuple[str, str], ...]:
    """Return the parts of the parts.

    `BadDeclaration` if an operation is needed twice: macros and functions would have the same names, and two parts may
    be built with different implementations even of one primitive.
    """
    composed = [primitives["/".join(part)].composed for part in parts.values()]
    inner = tuple(part for item in composed if item for part in item.every_part)
    operations = [operation for operation, _ in (*parts.values(), *inner)]
    for operation in operations:
        if operations.count(operation) > 1:
            raise BadDeclaration(
                f"{file}: depends on two primitives of {operation}, which cannot be linked into one executable"
            )
    return inner


def composed_sizes(
    folder: Path,
    declared: schema.Primitive,
    declaration: schema.Composition,
    composed: Composition,
    primitives: dict[str, Primitive],
) -> dict[str, int]:
    """Add up sizes in bytes, such as key_bytes = mac.key_bytes + stream.key_bytes.

    A size that the primitive declares itself takes precedence.
    """

    def value(term: str) -> int:
        if term.startswith("min("):
            return min(value(each.strip()) for each in term.removeprefix("min(").removesuffix(")").split(","))
        if term.isdigit():
            return int(term)
        part, _, size = term.partition(".")
        primitive = primitives["/".join(composed.parts[part])]
        if size not in primitive.sizes:
            raise BadDeclaration(f"{folder / 'primitive.toml'}: {primitive.key} has no size {size!r}")
        return primitive.sizes[size]

    sizes: dict[str, int] = {}
    for name, terms in declaration.sizes.items():
        own = getattr(declared, name, None)
        sizes[name] = sum(map(value, terms)) if own is None else own
    return sizes


def composed_facts(composed: Composition, security: str, primitives: dict[str, Primitive]) -> dict[str, Any]:
    """Return the facts inherited from the part `security`, or else from the searched or the first tuned part.

    The system is as old as its newest part, and its proven bounds are the least of those of its parts.
    """
    parts = {part: primitives["/".join(key)].facts for part, key in composed.parts.items()}
    facts = parts[security or composed.searched or composed.tuned_first[0]]
    names = ("designers", "year", "source", "licence", *_SECURITY)
    inherited = {name: facts[name] for name in names if name in facts}
    for name, choose in (("year", max), ("block_bits", min), ("forgery_bits", min)):
        if values := [part[name] for part in parts.values() if name in part]:
            inherited[name] = choose(values)
    return inherited
