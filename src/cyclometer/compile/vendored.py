# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds the libraries that a foreign tree carries: in the sandbox, by recipes of its adapter.

A recipe, adapters/<kind>/libraries/<name>.sh, is called in an empty folder with the folder of the sources,
the compiler and its flags. It leaves library.a and the folder include there.
"""

from __future__ import annotations

import hashlib
import shlex
import shutil
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.execute import sandbox
from cyclometer.records.catalogue import Compiler, VendoredLibrary

LIBRARY_BUILD_SECONDS = 1800.0  # the whole of XKCP on a slow machine
FLAGS = ("-fno-strict-overflow", "-fPIC", "-w")
_PACKED = "library.tar"


def build(cache: Cache, library: VendoredLibrary, tree: Path, compiler: Compiler, cpu: str) -> Path | ToolFailure:
    """Archive and headers as one tar file, which only the sandbox unpacks."""
    recipe = library.recipe.read_text(encoding="utf-8")
    options = [*compiler.flags, *FLAGS]
    key = Cache.key("carried", recipe, compiler.command, compiler.version, cpu, options, _contents(library.folder))

    def builder(out: Path) -> str:
        with cache.scratch() as scratch:
            (scratch / "recipe.sh").write_text(recipe, encoding="utf-8")
            steps = [
                ["sh", "-e", "recipe.sh", str(library.folder), compiler.command, *options],
                ["tar", "-cf", _PACKED, "library.a", "include"],
            ]
            script = "\n".join(("set -e", *map(shlex.join, steps)))
            outcome = sandbox.run_confined_tool(
                ["sh", "-c", script], readable=[tree], writable=scratch, seconds=LIBRARY_BUILD_SECONDS
            )
            if outcome.problem:
                return outcome.last_words() or outcome.problem
            if (scratch / _PACKED).is_symlink():  # the tree's own makefile wrote here
                return f"{_PACKED} is a link"
            shutil.copyfile(scratch / _PACKED, out)
        return ""

    return cache.make(key, ".tar", builder)


def may_define(library: VendoredLibrary, names: Sequence[str]) -> bool:
    """Whether it can have one of these functions: all parts of a name occur in its sources, whose macros may
    join them."""
    return any(all(part.encode() in _text(library.folder) for part in name.split("_")) for name in names)


def unpacking(packed: Sequence[Path]) -> tuple[list[str], list[str], list[str]]:
    """Commands that unpack libraries in a sandbox; options for the compiler; archives for the linker."""
    commands, options, archives = [], [], []
    for number, path in enumerate(packed):
        folder = f"carried{number}"
        commands += [shlex.join(["mkdir", folder]), shlex.join(["tar", "-xf", str(path), "-C", folder])]
        options.append(f"-I{folder}/include")
        archives.append(f"{folder}/library.a")
    return commands, options, archives


@lru_cache(maxsize=4)
def _text(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@lru_cache(maxsize=16)
def _contents(folder: Path) -> str:
    """Of all files with their names."""
    return hashlib.sha256("\n".join(_digests(folder)).encode()).hexdigest()


def _digests(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            yield f"{digest} {path.relative_to(folder).as_posix()}"
