# SPDX-License-Identifier: MIT OR Apache-2.0
"""What travels to a machine that has only Python: Cyclometer, its tree, and every package that it imports.

The packages are those of the client, so the machine needs the same minor version of Python and the same architecture.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.metadata
import platform
import re
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from cyclometer import paths
from cyclometer.errors import MachineUnfit

GROUPS = {"fleet"}
"""The optional groups whose packages travel, too."""

WITHOUT = {"matplotlib", "python-dateutil"}
"""Packages for plots and tables only, which no worker makes."""

NEEDLESS = {"tests", "include", "benchmarks"}
"""Folders of packages that nothing imports."""

PLATFORM = f"{platform.machine()}-{platform.libc_ver()[0]}-python{sys.version_info[0]}.{sys.version_info[1]}"
"""Where compiled packages of the client work."""


class Luggage:
    """The files to take along, and a name that changes when one of them does."""

    def __init__(self) -> None:
        self.files = dict(sorted({**_packages(), **_own()}.items()))
        digest = hashlib.sha256()
        for name, path in self.files.items():
            status = path.stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
        self.name = f"cyclometer-{digest.hexdigest()[:20]}"

    def write(self, stream: IO[bytes]) -> None:
        """Write a tar archive of the files, compressed."""
        with (
            gzip.GzipFile(fileobj=stream, mode="wb", compresslevel=1) as packed,
            tarfile.open(fileobj=packed, mode="w|", dereference=True) as archive,
        ):
            for name, path in self.files.items():
                archive.add(path, name, recursive=False, filter=_plain)


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def _own() -> dict[str, Path]:
    """Return Cyclometer itself, as in its wheel, and its description, from which it knows its version."""
    package = Path(__file__).resolve().parents[1]
    found = {f"cyclometer/{path.relative_to(package)}": path for path in _files(package, frozenset({"_tree"}))}
    for folder in paths.TREE:
        if (top := paths.root() / folder).is_dir():
            found[f"cyclometer/_tree/{folder}"] = top  # even if it is empty
            found |= {f"cyclometer/_tree/{folder}/{path.relative_to(top)}": path for path in _files(top)}
    metadata = importlib.metadata.distribution("cyclometer")
    return found | {f"{file.parts[0]}/METADATA": Path(str(metadata.locate_file(file))) for file in _metadata(metadata)}


def _metadata(distribution: importlib.metadata.Distribution) -> Iterator[importlib.metadata.PackagePath]:
    return (file for file in distribution.files or () if file.name == "METADATA")


def _files(top: Path, without: frozenset[str] = frozenset()) -> Iterator[Path]:
    for path in sorted(top.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and not without & {*path.relative_to(top).parts[:1]}:
            yield path


def _packages() -> dict[str, Path]:
    """Return the files of all packages that Cyclometer needs, directly or not."""
    found: dict[str, Path] = {}
    for name in sorted(_needed()):
        distribution = importlib.metadata.distribution(name)
        if distribution.files is None:
            raise MachineUnfit(f"the files of the package {name} are not known; install it with pip")
        for file in distribution.files:
            if (
                not {"..", *NEEDLESS} & {*file.parts}
                and file.suffix != ".pyc"
                and (path := Path(str(file.locate()))).is_file()
            ):
                found[str(file)] = path
    return found


def _needed() -> set[str]:
    """Return the names of the installed packages that Cyclometer and the groups need."""
    found: set[str] = set()
    waiting = list(_requirements("cyclometer", GROUPS))
    while waiting:
        name = waiting.pop()
        if name not in found | WITHOUT:
            try:
                waiting += _requirements(name, set())
            except importlib.metadata.PackageNotFoundError:
                continue  # of another platform
            found.add(name)
    return found


def _requirements(name: str, groups: set[str]) -> list[str]:
    """Return the names that a package requires, with those of the groups; other markers do not matter."""
    found = []
    for requirement in _declared(name):
        extra = re.search(r"extra\s*==\s*['\"]([\w.-]+)", requirement)
        if not extra or extra[1] in groups:
            word = re.match(r"[A-Za-z0-9._-]+", requirement.strip())
            found += [re.sub(r"[-_.]+", "-", word[0]).lower()] if word else []
    return found


def _declared(name: str) -> list[str]:
    """Return what a package declares to require; of a checkout, what its pyproject.toml says now."""
    checkout = Path(__file__).resolve().parents[3] / "pyproject.toml"
    if name == "cyclometer" and checkout.is_file():
        project = tomllib.loads(checkout.read_text(encoding="utf-8"))["project"]
        optional = project["optional-dependencies"].items()
        return [*project["dependencies"], *(f"{each}; extra == '{group}'" for group, of in optional for each in of)]
    return importlib.metadata.requires(name) or []
