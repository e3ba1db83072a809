# SPDX-License-Identifier: MIT OR Apache-2.0
"""Finds installed libraries with pkg-config and identifies their versions."""

from __future__ import annotations

import hashlib
import shlex
import shutil
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from cyclometer.execute import sandbox
from cyclometer.records.catalogue import Implementation
from cyclometer.records.failure import FailureKind


@dataclass(frozen=True)
class Package:
    """Compiler and linker flags of installed libraries, and a string that identifies their versions."""

    cflags: tuple[str, ...] = ()
    libs: tuple[str, ...] = ()
    identity: str = ""


@dataclass(frozen=True)
class MissingLibrary:
    """A library or tool that is missing here: NEEDS_LIBRARY or NEEDS_TOOL, and its name."""

    kind: FailureKind
    name: str


@cache
def find_packages(names: tuple[str, ...]) -> Package | MissingLibrary:
    """Return the flags of all packages together, or the first one that is missing."""
    if not names:
        return Package()
    if not shutil.which("pkg-config"):
        return MissingLibrary(FailureKind.NEEDS_TOOL, "pkg-config")
    for name in names:
        if sandbox.run_tool(["pkg-config", "--exists", name], 20).problem:
            return MissingLibrary(FailureKind.NEEDS_LIBRARY, f"the library {name}")
    flags = [
        tuple(shlex.split(sandbox.run_tool(["pkg-config", option, *names], 20).stdout.decode()))
        for option in ("--cflags", "--libs", "--modversion")
    ]
    return Package(cflags=flags[0], libs=flags[1], identity=" ".join(flags[2]))


@cache
def with_headers(package: Package, command: str, headers: tuple[str, ...]) -> Package | MissingLibrary:
    """Return the package with the macros of these headers in its identity, or the first header that is missing."""
    digests = []
    for header in headers:
        macros = sandbox.run_confined_tool(
            [command, "-E", "-dM", "-include", header, "-x", "c", "/dev/null"],
            readable=flag_folders(package.cflags),
            seconds=20,
        )
        if macros.problem:
            return MissingLibrary(FailureKind.NEEDS_LIBRARY, f"the header {header}")
        digests.append(hashlib.sha256(macros.stdout).hexdigest()[:16])
    return replace(package, identity=" ".join((package.identity, *digests)).strip())


def flag_folders(flags: Iterable[str]) -> list[Path]:
    """Return the folders of headers and libraries that compiler flags name."""
    folders = [Path(flag[2:]) for flag in flags if flag[:2] in ("-I", "-L") and len(flag) > 2]
    return [folder for folder in folders if folder.is_absolute() and folder.is_dir()]


def versions(implementations: Iterable[Implementation]) -> list[str]:
    """Return the libraries that the implementations use, each with its version if it is known."""
    return sorted({name for implementation in implementations for name in _libraries(implementation)})


def _libraries(implementation: Implementation) -> Iterator[str]:
    for name in implementation.packages:
        package = find_packages((name,))
        yield f"{name} {package.identity}" if isinstance(package, Package) else name
    for flag in implementation.libraries:
        if flag.startswith("-l") and flag not in ("-lm", "-lstdc++"):
            yield flag.removeprefix("-l")
    if implementation.crate:
        manifest = tomllib.loads((implementation.crate / "Cargo.toml").read_text(encoding="utf-8"))
        for name, dependency in manifest["dependencies"].items():
            yield f"{name} {(dependency if isinstance(dependency, str) else dependency['version']).lstrip('=')}"
    for library in implementation.foreign.vendored if implementation.foreign else ():
        if library.asked:
            yield f"{library.name} of the tree"
