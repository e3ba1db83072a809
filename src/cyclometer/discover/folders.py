# SPDX-License-Identifier: MIT OR Apache-2.0
"""Folders of source code that stand beside our own systems: `cyclometer compare ./mysha sha-256:openssl`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cyclometer.discover.foreign import ForeignTree, adapt, listing, recognise
from cyclometer.discover.selection import select
from cyclometer.errors import CyclometerError, NothingToDo
from cyclometer.records.catalogue import Catalogue, Operation, Primitive
from cyclometer.records.failure import Failure
from cyclometer.records.tuning_name import fits_pattern
from cyclometer.untrusted import MAX_HEADER, read_text

_SIZE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+CRYPTO_(\w{1,80})[ \t]+(\d{1,9})[ \t]*(?:/[*/].*)?$", re.MULTILINE)

_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(CRYPTO_\w{1,80})", re.MULTILINE)
_INCLUDES = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"', re.MULTILINE)  # its sizes may be in another header
_NAMED = 4  # macros of an api.h in a message
_SHOWN = 3  # folders in the description of where systems come from


@dataclass(frozen=True, kw_only=True)
class NamedFolder:
    """A folder, and the names that its systems have beside ours."""

    folder: Path
    tree: ForeignTree  # what the folder was recognised as
    names: dict[str, str]  # key in the folder's own tree -> key here
    implementations: tuple[tuple[str, str], ...]  # key here, implementation

    def with_implementation(self, pattern: str) -> list[str]:
        """Return the keys of the systems that have an implementation of that name; the first if none has."""
        fitting = [key for key, name in self.implementations if fits_pattern(name, pattern)]
        return list(dict.fromkeys(fitting)) or list(self.names.values())[:1]


def name_folders(tree: Path, base: Catalogue, folders: Sequence[Path]) -> list[NamedFolder]:
    """Name the systems of each folder: after the folder, or my-NAME if a system of ours has that name."""
    taken = set(base.primitives)
    named = []
    for folder in folders:
        names: dict[str, str] = {}
        foreign_tree = recognise(folder)
        found = listing(foreign_tree, tree)
        for listed in found:
            if not listed.skip_reason and listed.key not in names:
                names[listed.key] = _free(listed.operation, listed.primitive, taken)
                taken.add(names[listed.key])
        if not names:
            reasons = dict.fromkeys(listed.skip_reason for listed in found)
            hint = "`cyclometer new OPERATION DIR` shows what is expected"
            raise NothingToDo(f"{folder}: {'; '.join(reasons)}; {hint}")
        implementations = tuple((names[each.key], each.name) for each in found if each.key in names)
        named.append(NamedFolder(folder=folder, tree=foreign_tree, names=names, implementations=implementations))
    return named


def _free(operation: str, name: str, taken: set[str]) -> str:
    candidates = [name, f"my-{name}", *(f"{name}-{number}" for number in range(2, 100))]
    return next(key for each in candidates if (key := f"{operation}/{each}") not in taken)


def join(
    base: Catalogue, tree: Path, folders: Sequence[Path], systems: Sequence[str], same_as: str = ""
) -> tuple[Catalogue, list[Failure]]:
    """Return the catalogue with the systems of these folders added, and a Failure for each skipped implementation.

    `same_as` names the system of ours that they compute: they get its vectors, sizes and references. Where an operation
    has another API in folders, they take the place of our systems, unless `systems` names some of those, too.
    """
    model = _model(base, same_as) if same_as else None
    failures, origins = [], []
    several = name_folders(tree, base, folders)
    ours_too = not {key for named in several for key in named.names.values()}.issuperset(systems)
    for named in several:
        adapted, skipped = adapt(base, named.tree, (), tree / "adapters")
        base = _joined(base, adapted, named, model, ours_too=ours_too)
        failures += [_renamed_failure(failure, named.names) for failure in skipped]
        what = f" as {model.key}" if model else ""
        keys = list(named.names.values())
        origins.append(f"{', '.join(keys)} {'is' if len(keys) == 1 else 'are'} {named.folder}{what}")
    more = f"; and {len(origins) - _SHOWN} more folders" if len(origins) > _SHOWN + 1 else ""
    return replace(base, origin="; ".join(origins[:_SHOWN] if more else origins) + more), failures


def unusable(tree: Path, base: Catalogue, folder: Path, same_as: str = "") -> str:
    """Return why a folder alone cannot stand beside our systems, as `join` says it, or ''."""
    try:
        join(base, tree, [folder], (), same_as)
    except CyclometerError as error:
        return str(error)
    return ""


def _model(base: Catalogue, same_as: str) -> Primitive:
    found = select(base, [same_as])
    if len(found) != 1:
        raise CyclometerError(f"--as {same_as} means {len(found)} systems; name one, such as {found[0].key}")
    return found[0]


def _joined(
    base: Catalogue, adapted: Catalogue, named: NamedFolder, model: Primitive | None, *, ours_too: bool
) -> Catalogue:
    for name in {adapted.primitives[key].operation for key in adapted.asked}:
        if adapted.operations[name].folder != base.operations[name].folder:
            base = _in_place_of_ours(base, adapted.operations[name], named.folder, ours_too=ours_too)
    primitives, implementations = dict(base.primitives), list(base.implementations)
    for key in adapted.asked:
        primitive = adapted.primitives[key]
        own = None if model and _is_beside(primitive, adapted, model) else model
        is_elsewhere = any(
            each.foreign and each.foreign.renaming
            for each in adapted.implementations
            if f"{each.operation}/{each.primitive}" == key
        )
        _must_fit(primitive, base, named, own, is_elsewhere=is_elsewhere)
        operation, _, name = named.names[key].partition("/")
        primitive = replace(primitive, operation=operation, name=name)
        if own:
            primitive = replace(primitive, vectors=(*own.vectors, *primitive.vectors), same_as=own.key)
            if own.key in base.primitives:  # the same API, so the same sizes
                primitive = replace(primitive, sizes=own.sizes)
        primitives[named.names[key]] = primitive
    for implementation in adapted.implementations:
        renamed = named.names.get(f"{implementation.operation}/{implementation.primitive}")
        if renamed:
            implementations.append(replace(implementation, primitive=renamed.partition("/")[2]))
    return replace(base, primitives=primitives, implementations=tuple(implementations))


def _is_beside(primitive: Primitive, adapted: Catalogue, model: Primitive) -> bool:
    """Return whether another system of the folder is meant: a stream cipher is there with an authenticator, too."""
    operations = {adapted.primitives[key].operation for key in adapted.asked}
    return primitive.operation != model.operation and model.operation in operations


def _in_place_of_ours(base: Catalogue, operation: Operation, folder: Path, *, ours_too: bool) -> Catalogue:
    """Return the catalogue with another API of an operation, without our systems of it. CyclometerError if ours_too."""
    name = operation.name
    if ours_too:
        raise CyclometerError(
            f"{folder} has another API for {name} than our own systems (it expands the key in each call), so they do "
            f"not compare; `cyclometer check` takes it --as one of them, `cyclometer run` measures it alone"
        )
    return replace(
        base,
        operations={**base.operations, name: operation},
        primitives={key: primitive for key, primitive in base.primitives.items() if primitive.operation != name},
        implementations=tuple(each for each in base.implementations if each.operation != name),
    )


def _must_fit(
    primitive: Primitive, base: Catalogue, named: NamedFolder, model: Primitive | None, *, is_elsewhere: bool
) -> None:
    """Raise CyclometerError unless the folder's operation and sizes are those of the system it stands beside.

    `is_elsewhere` says that a header other than `api.h` may define the sizes.
    """
    name, folder = primitive.operation, named.folder
    if model and model.operation != name:
        raise CyclometerError(f"{folder} defines the functions of {name}, but --as names {model.key}")
    if not model or model.key not in base.primitives:
        return
    foreign = base.operations[name].foreign
    api = _api(folder, named.tree)
    theirs, macros = dict(_SIZE.findall(api)), base.operations[name].size_macros
    for size, value in primitive.sizes.items():  # as an eSTREAM header has them
        if model.sizes.get(size, value) != value:
            raise CyclometerError(f"{folder} has {size} {value}, but {model.key} has {model.sizes[size]}")
    required = [f"CRYPTO_{size}" for size in foreign.sizes if size not in foreign.optional_sizes] if foreign else []
    if (
        api
        and not is_elsewhere
        and not _INCLUDES.search(api)
        and (missing := [macro for macro in required if macro not in _DEFINED.findall(api)])
    ):
        others = [macro for macro in _DEFINED.findall(api) if macro not in required]
        instead = f" (it defines {', '.join(others[:_NAMED])})" if others else ""
        wanted = f"that of a {name} defines {' '.join(required)}"
        raise CyclometerError(f"{folder}/api.h does not define {', '.join(missing)}{instead}; {wanted}")
    for size, value in model.sizes.items():
        macro = macros.get(size, "")
        if foreign and macro in theirs and int(theirs[macro]) != value:
            raise CyclometerError(
                f"{folder}/api.h defines CRYPTO_{macro} as {theirs[macro]}, but {model.key} has {value}"
            )


def _api(folder: Path, tree: ForeignTree) -> str:
    path = folder / "api.h"
    return read_text(path, inside=tree.root, limit=MAX_HEADER) if path.is_file() else ""


def _renamed_failure(failure: Failure, names: dict[str, str]) -> Failure:
    key = names.get(failure.subject.key, failure.subject.key)
    return replace(failure, subject=replace(failure.subject, primitive=key.partition("/")[2]))
