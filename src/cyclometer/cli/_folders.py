# SPDX-License-Identifier: MIT OR Apache-2.0
"""Folders that are named where a system is expected."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from cyclometer import paths
from cyclometer.cli import _values
from cyclometer.discover import discover, matches, name_folders, select, unusable
from cyclometer.errors import CyclometerError, NothingToDo
from cyclometer.records.catalogue import Catalogue
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.tuning import Tuning
from cyclometer.untrusted import is_folder

SameAs = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="SYSTEM",
        autocompletion=_values.systems,
        help="What the folder computes, such as crypto_hash/sha-256: it gets that system's vectors and reference, and "
        "`run` measures both.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Named:
    """The systems named on a command line: names as before, and the folders among them."""

    systems: tuple[str, ...]
    folders: tuple[str, ...] = ()
    same_as: str = ""
    beside: tuple[str, ...] = ()  # the systems that are not a folder's

    def options(self) -> dict[str, Any]:
        """Return the options of a comparison, whose sides are named elsewhere."""
        return {"folders": self.folders, "same_as": self.same_as}

    def beside_its_model(self) -> dict[str, Any]:
        """Return the options of a run that also measures what the folders are the same as."""
        systems = (*self.systems, *([self.same_as] if self.same_as else []))
        return {"systems": systems, "folders": self.folders, "same_as": self.same_as}

    def hint(self) -> str:
        """Return how to have the code of a folder checked like the system beside it, or ''."""
        if self.same_as or not self.folders or not self.beside:
            return ""
        folder, system = Path(self.folders[0]).name, self.beside[0]
        return f"if {folder} computes the same as {system}, --as {system} also checks it with that system's vectors"


def is_path(name: str) -> bool:
    """Return whether a word means a folder, not a system: ./mysha, ../mysha, /tmp/mysha, ~/mysha, mysha/."""
    return name.startswith(("./", "../", "/", "~/")) or name in (".", "..") or name.endswith("/")


def as_tree(foreign: Path | None, systems: Sequence[str]) -> tuple[Path | None, list[str]]:
    """Treat a folder that is given instead of a system as a foreign tree."""
    if not foreign and len(systems) == 1 and is_folder(systems[0]):
        return Path(systems[0]), []
    return foreign, list(systems)


def resolve_usable(systems: Sequence[str], same_as: str) -> tuple[Named, list[Failure]]:
    """Do as `resolve`, but leave out those of several folders that cannot be used, with a failure for each."""
    paths_named = [name for name in systems if is_path(_path_of(name))]
    if len(paths_named) < 2:
        return resolve(systems, same_as), []
    catalogue, problems = discover(paths.root()), dict[str, str]()

    def usable(model: str) -> list[str]:
        for name in paths_named:
            folder = Path(_folder(_path_of(name)))
            if not problems.get(name) and (problem := unusable(paths.root(), catalogue, folder, model)):
                problems[name] = problem
        return [name for name in systems if name not in problems]

    first = usable("")
    if len(problems) == len(paths_named):
        return Named(systems=tuple(first)), _failures(problems, same_as)
    model = resolve(first, same_as, catalogue).same_as
    if model and len(select(catalogue, [model])) == 1:  # else the model is what is wrong, not each folder
        first = usable(model)
    if len(problems) == len(paths_named):
        return Named(systems=tuple(first)), _failures(problems, model)
    return resolve(first, same_as, catalogue), _failures(problems, model)


def _failures(problems: Mapping[str, str], same_as: str) -> list[Failure]:
    operation = same_as.partition("/")[0] if "/" in same_as else "crypto_unknown"
    return [
        Failure(
            stage="discover",
            subject=Tuning(operation=operation, primitive=Path(name).name, implementation=Path(name).name),
            kind=FailureKind.DOES_NOT_COMPILE,
            reason=problem,
        )
        for name, problem in problems.items()
    ]


def resolve(systems: Sequence[str], same_as: str = "", known: Catalogue | None = None) -> Named:
    """Replace each folder by the names of its systems, keeping what follows it (`./mysha:fast`).

    Beside a hash function, `sha-256` means crypto_hash/sha-256, not crypto_hashblocks/sha-256. `known` is our own
    catalogue, if it has been read.
    """
    folders = dict.fromkeys(_folder(_path_of(name)) for name in systems if is_path(_path_of(name)))
    for name in systems:
        if not is_path(name) and is_folder(_path_of(name)) and "*" not in name:
            _require_system(_path_of(name))
    if not folders:
        if same_as:
            raise CyclometerError(f"--as {same_as} says what a folder computes; name a folder, such as ./mine")
        return Named(systems=tuple(systems))
    catalogue = known or discover(paths.root())
    named = name_folders(paths.root(), catalogue, [Path(folder) for folder in folders])
    by_path = {str(each.folder): each for each in named}
    operations = {key.partition("/")[0] for each in named for key in each.names.values()}

    def with_operation(name: str) -> str:
        found = [key for op in operations if (key := f"{op}/{_path_of(name)}") in catalogue.primitives]
        return found[0] + name[len(_path_of(name)) :] if len(found) == 1 else name

    words: list[str] = []
    for name in systems:
        path, colon, rest = name.partition(":")
        if not is_path(path):
            words.append(with_operation(name))
            continue
        words += [
            key + colon + rest for key in by_path[_folder(path)].with_implementation(rest.partition(":")[0] or "*")
        ]
    return Named(
        systems=tuple(words),
        folders=tuple(folders),
        same_as=with_operation(same_as) if same_as else "",
        beside=tuple(_path_of(with_operation(name)) for name in systems if not is_path(_path_of(name))),
    )


def _require_system(name: str) -> None:
    """Raise CyclometerError for the name of a folder here that is no system's, because ./ is missing."""
    catalogue = discover(paths.root())
    if not any(matches(p.operation, p.name, name) for p in catalogue.primitives.values()):
        raise CyclometerError(f"{name} is no system, but a folder; write ./{name} for its code")


def _path_of(name: str) -> str:
    return name.partition(":")[0]


def _folder(path: str) -> str:
    """Return the absolute path of a folder; `NothingToDo` if there is none."""
    found = os.path.realpath(os.path.expanduser(path))
    if not is_folder(found):
        if os.path.exists(found):
            raise NothingToDo(f"{path} is a file; name the folder that contains it")
        raise NothingToDo(f"{path}: no such folder; `cyclometer new OPERATION {path.rstrip('/')}` makes one")
    return found
