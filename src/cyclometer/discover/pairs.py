# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pairs: every cipher of the tree with every authenticator of the tree, by name, without a file of their own.

A composition with [pairs] makes one for each combination of its parts, such as `salsa20+hmac-sha-256`.
"""

from __future__ import annotations

import fnmatch
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from cyclometer.discover import schema
from cyclometer.discover.compositions import composed_facts, composed_of, composed_sizes, read_composition
from cyclometer.errors import BadDeclaration, UnknownName, nearest, some_of
from cyclometer.records.catalogue import Catalogue, Operation, Primitive

MARK = "+"
"""What the name of every pair, and of nothing else, contains."""

ALL_PAIRS = f"*{MARK}*"
"""The pattern that all pairs match."""

PART_MEASURES = "part_measures"
"""The fact of a pair that maps its parts to the measures that a packet costs."""


def with_pairs(catalogue: Catalogue, names: Iterable[str]) -> Catalogue:
    """Return the catalogue with the pairs that the names mean; a name without "+" means none.

    `UnknownName`, with the nearest name of a pair, if one matches nothing.
    """
    wanted = [name.partition(":")[0] for name in names if MARK in name]
    if not wanted or catalogue.asked:
        return catalogue
    made = {pair.key: pair for pair in pairs(catalogue)}
    chosen: dict[str, Primitive] = {}
    for name in wanted:
        matching = {k: p for k, p in made.items() if fnmatch.fnmatchcase(p.name, name) or fnmatch.fnmatchcase(k, name)}
        if not matching and not any(fnmatch.fnmatchcase(p.name, name) for p in catalogue.primitives.values()):
            names = [pair.name for pair in made.values()]
            remedy = "" if nearest(name, names) else f"of a cipher and an authenticator; {some_of(names)}"
            raise UnknownName("pair", name, names, remedy)
        chosen |= matching
    return replace(catalogue, primitives={**chosen, **catalogue.primitives})


def pairs(catalogue: Catalogue) -> Iterator[Primitive]:
    """Yield every pair of the catalogue's primitives, except those whose parts cannot be linked together.

    Of two with one name, such as AES-256-CTR as a stream and as a mode, the first composition's is yielded.
    """
    seen: set[str] = set()
    for pair in _every_pair(catalogue):
        if pair.key not in seen:
            seen.add(pair.key)
            yield pair


def _every_pair(catalogue: Catalogue) -> Iterator[Primitive]:
    for operation in catalogue.operations.values():
        files = (operation.folder / "compositions").glob("*/composition.toml")
        for file in sorted(files, reverse=True):  # stream-... before ctr-...
            declaration = read_composition(file)
            if declaration.pairs:
                yield from _pairs_of(catalogue, operation, file, declaration, declaration.pairs)


def same_as_declared(pair: Primitive, primitives: Iterable[Primitive]) -> bool:
    """Return whether a primitive with a file of its own is the same composition of the same parts."""
    return any(
        each.composed and pair.composed and each.name != pair.name
        and (each.composed.name, each.composed.parts, each.sizes)
        == (pair.composed.name, pair.composed.parts, pair.sizes)
        for each in primitives
    )  # fmt: skip


def _pairs_of(
    catalogue: Catalogue, operation: Operation, file: Path, declaration: schema.Composition, declared: schema.Pairs
) -> Iterator[Primitive]:
    if MARK not in declared.name:
        raise BadDeclaration(f"{file}: [pairs] name {declared.name!r} must contain {MARK!r}")
    choices = [_choices(catalogue, part, of, declared) for part, of in declaration.parts.items()]
    primitives = catalogue.primitives
    for names in itertools.product(*choices):
        parts = {part: (of, name) for (part, of), name in zip(declaration.parts.items(), names, strict=True)}
        try:
            composed = composed_of(file.parent, declaration, parts, primitives, file)
        except BadDeclaration:  # both parts are made of different primitives of one operation
            continue
        try:
            name = declared.name.format(**dict(zip(declaration.parts, names, strict=True)))
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise BadDeclaration(f"{file}: [pairs] name {declared.name!r}: {error}") from None
        facts = composed_facts(composed, declaration.security, primitives) | {PART_MEASURES: declared.cost}
        empty = schema.Primitive(description=f"{' with '.join(names)}: {declaration.description}")
        yield Primitive(
            operation=operation.name,
            name=name,
            folder=file.parent / name,  # which does not exist
            sizes=composed_sizes(file.parent, empty, declaration, composed, primitives),
            associated_data=declaration.associated_data,
            facts={"attacks": [], **facts, "description": empty.description, "source": declaration.source},
            vectors=(),
            composed=composed,
        )


def _choices(catalogue: Catalogue, part: str, operation: str, declared: schema.Pairs) -> list[str]:
    names = [p.name for p in catalogue.primitives.values() if p.operation == operation and MARK not in p.name]
    only, left_out = declared.only.get(part, "*"), declared.except_.get(part, "")
    return [name for name in names if fnmatch.fnmatchcase(name, only) and not fnmatch.fnmatchcase(name, left_out)]
