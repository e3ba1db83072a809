# SPDX-License-Identifier: MIT OR Apache-2.0
"""Foreign trees, read in place: one module per kind of tree, found by its file.

A module provides

    recognise(folder) -> ForeignTree | None
                                       the tree that the folder is, or is a part of; or a single implementation
    listing(foreign_tree, native) -> [ForeignImplementation]
                                       all implementations, quickly: by names alone as far as possible
    load(listed, foreign_tree, adapter, native) -> Implementation | Failure
                                       everything the compile stage needs of one of them
    EXPECTED                           the layout it looks for, for the message when no module recognises a folder
    vectors(listed, tree, native) -> (file, ...)
                                       optional: a primitive's known answers, in a format that `vectors` reads; an
                                       implementation is left out if one of them is not a regular file
    sizes(listed, tree) -> {name: bytes}
                                       optional: a primitive's sizes, if they are known before it is compiled
    composed(listed, tree, base) -> Primitive | None
                                       optional: a primitive composed of one of the tree's and one of ours
    ADAPTER                            optional: the folder of adapters/ to use, if it is another kind's
"""

from __future__ import annotations

import errno
import importlib
import os
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from cyclometer.discover.foreign._tree import ForeignImplementation, ForeignTree, NativeTree
from cyclometer.discover.foreign.supercop import SOURCES
from cyclometer.discover.native import read_architecture, read_features, read_operations
from cyclometer.discover.selection import matches
from cyclometer.errors import NothingToDo, RefusedFile, UnknownName
from cyclometer.records.catalogue import Catalogue, Implementation, Operation, Primitive
from cyclometer.records.failure import Failure
from cyclometer.untrusted import files_below, name_problem, printable

__all__ = ["ForeignImplementation", "ForeignTree", "adapt", "listing", "recognise", "summary"]

_SHOWN = 200  # characters of an unusable name in a message


def _kinds() -> dict[str, ModuleType]:
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    return {name: importlib.import_module(f"{__name__}.{name}") for name in sorted(names) if name[0] != "_"}


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    """Turn what the operating system refuses outside of single implementations into `NothingToDo`."""
    try:
        yield
    except OSError as error:
        raise NothingToDo(f"{folder} cannot be read: {error.strerror}") from None


def recognise(folder: Path) -> ForeignTree:
    """Return the tree that a folder is, or is a part of; `NothingToDo`, with the layouts expected, if there is none."""
    try:
        folder = Path(os.path.realpath(folder, strict=True))
        next(os.scandir(folder), None)
    except (OSError, ValueError) as error:
        reasons = {errno.ENOTDIR: "is a file; name the folder that contains it", errno.ENOENT: "no such folder"}
        reason = reasons.get(getattr(error, "errno", 0), f"cannot be read: {getattr(error, 'strerror', error)}")
        raise NothingToDo(f"{folder}: {reason}") from None
    kinds = _kinds()
    for kind in kinds.values():
        with _reading(folder):
            foreign_tree: ForeignTree | None = kind.recognise(folder)
        if foreign_tree:
            return foreign_tree
    expected = "; ".join(f"{name}: {kind.EXPECTED}" for name, kind in kinds.items())
    raise NothingToDo(f"{folder} is not a tree of a known kind; {_hint(folder)}. Expected {expected}")


def _hint(folder: Path) -> str:
    """Say what an unrecognised folder has, and what it lacks."""
    try:
        files = [file.relative_to(folder) for file in files_below(folder, folder)]
    except RefusedFile as error:
        return str(error)
    if own := [file for file in files if file.name == "implementation.toml"]:
        return f"{printable(own[0])} is of Cyclometer's own layout: such a folder goes below primitives/ of its tree"
    if sources := [file for file in files if file.suffix in SOURCES]:
        return (
            f"it contains {printable(sources[0])} but no api.h, the header with the sizes; `cyclometer new` writes one"
        )
    return "it has no sources; `cyclometer new` writes files to start from"


def listing(foreign_tree: ForeignTree, tree: Path, patterns: Sequence[str] = ()) -> list[ForeignImplementation]:
    """List the implementations that match one of the patterns (no patterns: all of them).

    `tree` is our own, whose operations they must belong to. `UnknownName` for a pattern that matches nothing.
    """
    base, adapter = read_operations(tree), tree / "adapters" / _adapter(_kinds()[foreign_tree.kind], foreign_tree)
    return _matching(_listed(foreign_tree, _native(tree, base | _variants(adapter, base))), foreign_tree, patterns)


def summary(foreign_tree: ForeignTree, implementations: Sequence[ForeignImplementation]) -> str:
    """Describe what a tree was recognised as, and how many implementations are listed."""
    primitives = {listed.key for listed in implementations}
    skipped = sum(bool(listed.skip_reason) for listed in implementations)
    return (
        f"{foreign_tree.label} ({foreign_tree.kind}): {counted(len(implementations), 'implementation')} of "
        f"{counted(len(primitives), 'primitive')}, {skipped} left out"
    )


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: 1 primitive, 2 primitives."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _native(tree: Path, operations: Mapping[str, Operation]) -> NativeTree:
    """Keep only the operations that declare names for foreign trees."""
    return NativeTree(
        operations={name: operation for name, operation in operations.items() if operation.foreign},
        architecture=read_architecture(tree),
        features={feature.cpuinfo: name for name, feature in read_features(tree).items() if feature.cpuinfo},
    )


def _listed(foreign_tree: ForeignTree, native: NativeTree) -> list[ForeignImplementation]:
    """List the whole tree, with a reason to skip each implementation of an unknown operation."""
    with _reading(foreign_tree.root):
        everything: list[ForeignImplementation] = _kinds()[foreign_tree.kind].listing(foreign_tree, native)
    return [_checked(listed, native) for listed in everything]


def _checked(listed: ForeignImplementation, native: NativeTree) -> ForeignImplementation:
    """Return what is listed, with a reason to skip it if its operation is unknown or its names are unusable."""
    names = {"operation": listed.operation, "primitive": listed.primitive, "name": listed.name}
    if problem := next(filter(None, (name_problem(name) for name in names.values() if name)), ""):
        shown = {key: printable(name)[:_SHOWN] for key, name in names.items()}
        return ForeignImplementation(folder=listed.folder, skip_reason=problem, **shown)
    if listed.skip_reason or listed.operation in native.operations:
        return listed
    return replace(listed, skip_reason=f"unknown operation {listed.operation}")


def _matching(
    everything: list[ForeignImplementation], foreign_tree: ForeignTree, patterns: Sequence[str]
) -> list[ForeignImplementation]:
    if not patterns:
        return everything
    chosen: dict[tuple[str, str, str], ForeignImplementation] = {}
    for pattern in patterns:
        matching = [
            listed for listed in everything if matches(listed.operation, listed.primitive, pattern, listed.name)
        ]
        if not matching:
            keys = {(listed.operation, listed.primitive) for listed in everything}
            names = {name for key in keys for name in (*key, "/".join(key))}
            raise UnknownName("system", pattern, sorted(names), f"in {foreign_tree.root}")
        chosen |= {(listed.operation, listed.primitive, listed.name): listed for listed in matching}
    return [listed for listed in everything if (listed.operation, listed.primitive, listed.name) in chosen]


def adapt(
    base: Catalogue, foreign_tree: ForeignTree, patterns: Sequence[str], adapters: Path
) -> tuple[Catalogue, list[Failure]]:
    """Return the catalogue with the tree's primitives in place of ours, and a Failure for each skipped implementation.

    The primitives are those that match the patterns (`asked`) and their dependencies. `NothingToDo` if nothing is
    left.
    """
    kind = _kinds()[foreign_tree.kind]
    operations = base.operations | _variants(adapters / _adapter(kind, foreign_tree), base.operations)
    native = _native(adapters.parent, operations)
    everything = _listed(foreign_tree, native)
    by_key: dict[str, list[ForeignImplementation]] = {}
    for listed in everything:
        by_key.setdefault(listed.key, []).append(listed)
    selected = _matching(everything, foreign_tree, patterns)
    pending = dict.fromkeys(listed.key for listed in selected)
    asked, primitives = list(pending), {}
    implementations, failures = [], []
    while pending:
        key = next(iter(pending))
        del pending[key]
        composed = _composed(kind, by_key[key][0], foreign_tree, base)
        if composed and composed.composed:
            primitives[key] = composed
            parts = ["/".join(part) for part in composed.composed.every_part]
            pending |= {part: None for part in parts if part in by_key and part not in primitives}
            native_parts = [part for part in parts if part not in by_key and part not in primitives]
            primitives |= {part: base.primitives[part] for part in native_parts}
            implementations += [i for i in base.implementations if f"{i.operation}/{i.primitive}" in native_parts]
            continue
        primitives[key] = _primitive(by_key[key][0], foreign_tree, kind, native)
        for listed in by_key[key] if key not in asked else [listed for listed in selected if listed.key == key]:
            loaded = _loaded(kind, listed, foreign_tree, adapters, native)
            if isinstance(loaded, Failure):
                failures.append(loaded)
                continue
            implementations.append(loaded)
            assert loaded.foreign
            pending |= {need: None for need in loaded.foreign.requires if need in by_key and need not in primitives}
    catalogue = replace(
        base,
        operations=operations,
        primitives=primitives,
        implementations=tuple(implementations),
        asked=tuple(key for key in asked if primitives[key].operation in operations),
        origin=summary(foreign_tree, selected),
    )
    if not catalogue.asked:
        first = failures[0]
        raise NothingToDo(f"{foreign_tree.label} has nothing that can be used here: {first.subject}: {first.reason}")
    return catalogue, failures


def _loaded(
    kind: ModuleType, listed: ForeignImplementation, foreign_tree: ForeignTree, adapters: Path, native: NativeTree
) -> Implementation | Failure:
    if listed.skip_reason:
        return listed.failure(listed.skip_reason)
    try:
        foreign_tree.must_be_regular(_vectors(kind, listed, foreign_tree, native))
        loaded: Implementation | Failure = kind.load(
            listed, foreign_tree, adapters / _adapter(kind, foreign_tree), native
        )
    except RefusedFile as error:
        return listed.failure(str(error))
    except (OSError, ValueError) as error:
        return listed.failure(f"cannot be read: {getattr(error, 'strerror', None) or error}")
    return loaded


def _composed(
    kind: ModuleType, listed: ForeignImplementation, foreign_tree: ForeignTree, base: Catalogue
) -> Primitive | None:
    if listed.skip_reason or not hasattr(kind, "composed"):
        return None
    composed: Primitive | None = kind.composed(listed, foreign_tree, base)
    return composed


def _adapter(kind: ModuleType, foreign_tree: ForeignTree) -> str:
    return str(getattr(kind, "ADAPTER", foreign_tree.kind))


def _variants(adapter: Path, base: Mapping[str, Operation]) -> dict[str, Operation]:
    """Return the operations whose foreign API the adapter measures with its own check.c and measure.c.

    Foreign names that they do not declare are taken from our operation of that name.
    """
    variants = read_operations(adapter)
    return {
        name: replace(variant, foreign=base[name].foreign) if variant.foreign is None and name in base else variant
        for name, variant in variants.items()
    }


def _primitive(
    listed: ForeignImplementation, foreign_tree: ForeignTree, kind: ModuleType, native: NativeTree
) -> Primitive:
    facts = {
        "description": f"{listed.primitive} of the tree {foreign_tree.root.name}",
        "source": str(foreign_tree.label),
        "attacks": [],
    }
    return Primitive(
        operation=listed.operation,
        name=listed.primitive,
        folder=listed.folder,
        sizes=kind.sizes(listed, foreign_tree) if hasattr(kind, "sizes") and not listed.skip_reason else {},
        associated_data=kind.associated_data(listed, foreign_tree) if hasattr(kind, "associated_data") else True,
        facts=facts,
        vectors=tuple(path for path in _vectors(kind, listed, foreign_tree, native) if foreign_tree.is_file(path)),
    )


def _vectors(
    kind: ModuleType, listed: ForeignImplementation, foreign_tree: ForeignTree, native: NativeTree
) -> tuple[Path, ...]:
    """Return what has the name of a file of known answers, whatever it is."""
    return tuple(kind.vectors(listed, foreign_tree, native)) if hasattr(kind, "vectors") else ()
