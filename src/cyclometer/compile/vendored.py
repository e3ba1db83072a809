# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds vendored libraries: libraries inside a foreign tree, built in the sandbox by the adapter's recipes.

A recipe, adapters/<kind>/libraries/<name>.sh, runs in an empty folder and leaves library.a and a folder include there.
Its arguments are the folder of the sources, the compiler and the compiler's flags.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from cyclometer.compile.build_tool import run_build_tool, take
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.execute.bubblewrap import tool_folders
from cyclometer.records.catalogue import Compiler, VendoredLibrary
from cyclometer.records.executable import BuildRequest
from cyclometer.untrusted import MAX_FILE, files_below

FLAGS = ("-fno-strict-overflow", "-fPIC", "-w")
_PACKED = "library.tar"


def build(cache: Cache, library: VendoredLibrary, tree: Path, compiler: Compiler, cpu: str) -> Path | ToolFailure:
    """Build the library; return archive and headers as one tar file, which only the sandbox unpacks."""
    recipe = library.recipe.read_text(encoding="utf-8")
    options = [*compiler.flags, *FLAGS]
    key = Cache.key("vendored", recipe, compiler.command, compiler.version, cpu, options, _contents(library.folder))

    def builder(out: Path) -> str:
        with cache.scratch() as scratch:
            (scratch / "recipe.sh").write_text(recipe, encoding="utf-8")
            steps = [
                ["sh", "-e", "recipe.sh", str(library.folder), compiler.command, *options],
                ["tar", "-cf", _PACKED, "library.a", "include"],
            ]
            script = "\n".join(("set -e", *map(shlex.join, steps)))
            readable = [tree, *tool_folders([compiler.command, compiler.cxx])]
            outcome = run_build_tool(["sh", "-c", script], readable=readable, writable=scratch)
            if outcome.problem:
                return outcome.last_words() or outcome.problem
            return take(scratch / _PACKED, out)

    return cache.make(key, ".tar", builder)


def may_define(library: VendoredLibrary, names: Sequence[str]) -> bool:
    """Return whether the library may define one of these functions.

    It may if all parts of a name occur in its sources, where macros can join them.
    """
    return any(all(part.encode() in _text(library.folder) for part in name.split("_")) for name in names)


def unpacking(packed: Sequence[Path]) -> tuple[list[str], list[str], list[str]]:
    """Return commands that unpack libraries in a sandbox, options for the compiler, and archives for the linker."""
    commands, options, archives = [], [], []
    for number, path in enumerate(packed):
        folder = f"vendored{number}"
        commands += [shlex.join(["mkdir", folder]), shlex.join(["tar", "-xf", str(path), "-C", folder])]
        options.append(f"-I{folder}/include")
        archives.append(f"{folder}/library.a")
    return commands, options, archives


@lru_cache(maxsize=4)
def _text(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in _files(folder))


@lru_cache(maxsize=16)
def _contents(folder: Path) -> str:
    """Return the hash of all files and their names."""
    return hashlib.sha256("\n".join(_digests(folder)).encode()).hexdigest()


def _digests(folder: Path) -> Iterator[str]:
    for path in _files(folder):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        yield f"{digest} {path.relative_to(folder).as_posix()}"


def _files(folder: Path) -> list[Path]:
    """Return the library's files, without those that no library has: links out of its folder, files without end."""
    root = folder.resolve()
    return [path for path in files_below(folder, root) if path.stat().st_size <= MAX_FILE]


def with_libraries(request: BuildRequest, missing: Sequence[str]) -> BuildRequest | None:
    """Return the request with the vendored libraries that may define a missing function; None if there are none."""
    foreign = request.implementation.foreign
    if not foreign:
        return None
    libraries = tuple(
        replace(library, asked=library.asked or may_define(library, missing)) for library in foreign.vendored
    )
    if libraries == foreign.vendored:
        return None
    implementation = replace(request.implementation, foreign=replace(foreign, vendored=libraries))
    return replace(request, implementation=implementation)
