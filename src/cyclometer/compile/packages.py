# SPDX-License-Identifier: MIT OR Apache-2.0
"""Libraries: found by pkg-config, and named with their versions."""

from __future__ import annotations

import hashlib
import shlex
import shutil
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from cyclometer.execute import sandbox
from cyclometer.records.catalogue import Implementation
from cyclometer.records.failure import FailureKind


@dataclass(frozen=True)
class Package:
    """Flags to compile and to link with, and what identifies the version."""

    cflags: tuple[str, ...] = ()
    libs: tuple[str, ...] = ()
    identity: str = ""


@dataclass(frozen=True)
class MissingLibrary:
    """What is not here: NEEDS_LIBRARY or NEEDS_TOOL, and its name."""

    kind: FailureKind
    name: str


@cache
def find_packages(names: tuple[str, ...]) -> Package | MissingLibrary:
    """The packages together, or the first that is missing."""
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
    """The package, identified by what these headers define too; or the first that is missing."""
    found = []
    for header in headers:
        said = sandbox.run_tool([command, "-E", "-dM", "-include", header, "-x", "c", "/dev/null"], 20)
        if said.problem:
            return MissingLibrary(FailureKind.NEEDS_LIBRARY, f"the header {header}")
        found.append(hashlib.sha256(said.stdout).hexdigest()[:16])
    return replace(package, identity=" ".join((package.identity, *found)).strip())


def versions(implementations: Iterable[Implementation]) -> list[str]:
    """The libraries that these stand on, each with its version as far as it is known."""
    found = {name for implementation in implementations for name in _libraries(implementation)}
    return sorted(found)


def _libraries(implementation: Implementation) -> Iterator[str]:
    for name in implementation.packages:
        found = find_packages((name,))
        yield f"{name} {found.identity}" if isinstance(found, Package) else name
    for flag in implementation.libraries:
        if flag.startswith("-l") and flag not in ("-lm", "-lstdc++"):
            yield flag.removeprefix("-l")
    if implementation.crate:
        declared = tomllib.loads((implementation.crate / "Cargo.toml").read_text(encoding="utf-8"))
        for name, wanted in declared["dependencies"].items():
            yield f"{name} {(wanted if isinstance(wanted, str) else wanted['version']).lstrip('=')}"
    for library in implementation.foreign.vendored if implementation.foreign else ():
        if library.asked:
            yield f"{library.name} of the tree"
