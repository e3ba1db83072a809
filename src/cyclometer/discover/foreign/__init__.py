# SPDX-License-Identifier: MIT OR Apache-2.0
"""Trees that stand elsewhere, read in place: one module a kind, found by its file.

A module gives

    recognise(folder) -> Found | None    whether it is such a tree, a part of one, or a single implementation
    listing(found, native) -> [Listed]   what is there, by names alone, quickly
    load(listed, found, adapters, native) -> Implementation | Failure
                                         all that the build needs of one of them
    EXPECTED                           what it looks for, for the message when nothing is recognised
    vectors(listed, native) -> (file, ...)
                                         optional: known answers of a primitive, in a format that `check` reads
    sizes(listed) -> {name: bytes}       optional: of a primitive, where they are known before it is compiled
    composed(listed, base) -> Primitive | None
                                         optional: what is made of one of the tree's and one of our primitives
    ADAPTER                              optional: whose folder of adapters/ it uses, where it is another kind's
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from cyclometer.discover.foreign._tree import ForeignImplementation, ForeignTree, NativeTree
from cyclometer.discover.foreign.supercop import SOURCES
from cyclometer.discover.native import read_architecture, read_features, read_operations
from cyclometer.discover.selection import matches
from cyclometer.errors import NothingToDo, UnknownName
from cyclometer.records.catalogue import Catalogue, Implementation, Operation, Primitive
from cyclometer.records.failure import Failure

__all__ = ["ForeignImplementation", "ForeignTree", "adapt", "listing", "recognise", "summary"]


def _kinds() -> dict[str, ModuleType]:
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    return {name: importlib.import_module(f"{__name__}.{name}") for name in sorted(names) if name[0] != "_"}


def recognise(folder: Path) -> ForeignTree:
    """The tree that a folder is, or is a part of; NothingToDo says what was looked for."""
    folder = folder.resolve()
    if not folder.is_dir():
        reason = "is a file; name the folder that it is in" if folder.exists() else "there is no such folder"
        raise NothingToDo(f"{folder}: {reason}")
    kinds = _kinds()
    for kind in kinds.values():
        found: ForeignTree | None = kind.recognise(folder)
        if found:
            return found
    looked_for = "; ".join(f"{name}: {kind.EXPECTED}" for name, kind in kinds.items())
    sources = sorted(path.name for path in folder.iterdir() if path.suffix in SOURCES)
    hint = f"; {sources[0]} stands there without an api.h, the header that has the sizes" if sources else ""
    raise NothingToDo(f"{folder} is no tree that is known here{hint}. Looked for {looked_for}")


def listing(found: ForeignTree, tree: Path, patterns: Sequence[str] = ()) -> list[ForeignImplementation]:
    """What is there and fits one of the patterns (none: everything); UnknownName for one that fits nothing. `tree` is
    ours, whose operations they must be."""
    base, adapter = read_operations(tree), tree / "adapters" / _adapter(_kinds()[found.kind], found)
    return _fitting(_listed(found, _native(tree, base | _variants(adapter, base))), found, patterns)


def summary(found: ForeignTree, listed: Sequence[ForeignImplementation]) -> str:
    """What a tree was taken for, and how much of it this is."""
    primitives, left_out = {one.key for one in listed}, sum(bool(one.skip_reason) for one in listed)
    return (
        f"{found.label} ({found.kind}): {counted(len(listed), 'implementation')} of "
        f"{counted(len(primitives), 'primitive')}, {left_out} left out"
    )


def counted(number: int, noun: str) -> str:
    """1 primitive, 2 primitives."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _native(tree: Path, operations: Mapping[str, Operation]) -> NativeTree:
    """Of the operations, those with names in foreign trees."""
    return NativeTree(
        operations={name: operation for name, operation in operations.items() if operation.foreign},
        architecture=read_architecture(tree),
        features={feature.cpuinfo: name for name, feature in read_features(tree).items() if feature.cpuinfo},
    )


def _listed(found: ForeignTree, native: NativeTree) -> list[ForeignImplementation]:
    """All of the tree; what is of no operation known here is left out."""
    everything: list[ForeignImplementation] = _kinds()[found.kind].listing(found, native)
    return [
        one if one.skip_reason or one.operation in native.operations
        else replace(one, skip_reason=f"there is no operation {one.operation} here")
        for one in everything
    ]  # fmt: skip


def _fitting(
    everything: list[ForeignImplementation], found: ForeignTree, patterns: Sequence[str]
) -> list[ForeignImplementation]:
    if not patterns:
        return everything
    chosen: dict[tuple[str, str, str], ForeignImplementation] = {}
    for pattern in patterns:
        fitting = [one for one in everything if matches(one.operation, one.primitive, pattern, one.name)]
        if not fitting:
            known = {name for one in everything for name in (one.operation, one.primitive)}
            raise UnknownName("system", pattern, sorted(known), f"in {found.root}")
        chosen |= {(one.operation, one.primitive, one.name): one for one in fitting}
    return [one for one in everything if (one.operation, one.primitive, one.name) in chosen]


def adapt(
    base: Catalogue, found: ForeignTree, patterns: Sequence[str], adapters: Path
) -> tuple[Catalogue, list[Failure]]:
    """The catalogue with the tree's primitives instead of our own: those that fit the patterns (`asked`) and
    whatever they stand on. Also a Failure for each implementation that is left out."""
    kind = _kinds()[found.kind]
    operations = base.operations | _variants(adapters / _adapter(kind, found), base.operations)
    native = _native(adapters.parent, operations)
    everything = _listed(found, native)
    by_key: dict[str, list[ForeignImplementation]] = {}
    for one in everything:
        by_key.setdefault(one.key, []).append(one)
    wanted = _fitting(everything, found, patterns)
    waiting = dict.fromkeys(one.key for one in wanted)
    asked, primitives = list(waiting), {}
    implementations, failures = [], []
    while waiting:
        key = next(iter(waiting))
        del waiting[key]
        whole = kind.composed(by_key[key][0], base) if hasattr(kind, "composed") else None
        if whole:
            primitives[key] = whole
            parts = ["/".join(part) for part in whole.composed.every_part]
            waiting |= {part: None for part in parts if part in by_key and part not in primitives}
            own = [part for part in parts if part not in by_key and part not in primitives]
            primitives |= {part: base.primitives[part] for part in own}
            implementations += [i for i in base.implementations if f"{i.operation}/{i.primitive}" in own]
            continue
        primitives[key] = _primitive(by_key[key][0], found, kind, native)
        for one in by_key[key] if key not in asked else [one for one in wanted if one.key == key]:
            loaded = _loaded(kind, one, found, adapters, native)
            if isinstance(loaded, Failure):
                failures.append(loaded)
                continue
            implementations.append(loaded)
            assert loaded.foreign
            waiting |= {need: None for need in loaded.foreign.requires if need in by_key and need not in primitives}
    catalogue = replace(
        base,
        operations=operations,
        primitives=primitives,
        implementations=tuple(implementations),
        asked=tuple(key for key in asked if primitives[key].operation in operations),
        origin=summary(found, wanted),
    )
    if not catalogue.asked:
        first = failures[0]
        raise NothingToDo(f"{found.label} has nothing that can be tried here: {first.subject}: {first.reason}")
    return catalogue, failures


def _loaded(
    kind: ModuleType, one: ForeignImplementation, found: ForeignTree, adapters: Path, native: NativeTree
) -> Implementation | Failure:
    if one.skip_reason:
        return one.failure(one.skip_reason)
    try:
        loaded: Implementation | Failure = kind.load(one, found, adapters / _adapter(kind, found), native)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        return one.failure(f"cannot be read: {error}")
    return loaded


def _adapter(kind: ModuleType, found: ForeignTree) -> str:
    return str(getattr(kind, "ADAPTER", found.kind))


def _variants(adapter: Path, base: Mapping[str, Operation]) -> dict[str, Operation]:
    """Operations whose foreign API is measured as it is, by check.c and measure.c of the adapter's own. What they
    do not say of foreign names, our operation of that name does."""
    variants = read_operations(adapter)
    return {
        name: replace(one, foreign=base[name].foreign) if one.foreign is None and name in base else one
        for name, one in variants.items()
    }


def _primitive(one: ForeignImplementation, found: ForeignTree, kind: ModuleType, native: NativeTree) -> Primitive:
    facts = {"description": f"{one.primitive} of the tree {found.root.name}", "source": str(found.label), "attacks": []}
    return Primitive(
        operation=one.operation,
        name=one.primitive,
        folder=one.folder,
        sizes=kind.sizes(one) if hasattr(kind, "sizes") else {},
        associated_data=True,
        facts=facts,
        vectors=tuple(kind.vectors(one, native)) if hasattr(kind, "vectors") else (),
    )
