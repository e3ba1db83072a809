# SPDX-License-Identifier: MIT OR Apache-2.0
"""A tree for one test: the real harness and operations, one compiler, and only the primitives named.

    tree = SmallTree.grow(tmp_path / "tree", "crypto_stream/salsa20/ref")
    tree.write("primitives/crypto_stream/salsa20/mine/salsa20.c", "...")

Files that a test adds are discovered like any contribution.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent

REPOSITORY = Path(__file__).resolve().parents[2]

PLANTED = ("crypto_stream/salsa20/ref", "crypto_onetimeauth/poly1305/ref", "crypto_aead/aes-128-gcm/ref")

# No -march=native: the code is the same on every machine.
ONE_COMPILER = """
    # SPDX-License-Identifier: MIT OR Apache-2.0
    description = "the one compiler of a small tree"
    command = "gcc"
    cxx = "g++"
    debian = "gcc"

    [[variant]]
    name = "gcc-O2"
    flags = ["-O2"]
    reason = "enough to test everything except the choice among compilers"
"""

SELDOM_FASTEST = """
    [[variant]]
    name = "gcc-Os"
    flags = ["-Os"]
    reason = "small code"
    usual = false
"""
"""A variant of it that is tried on request."""


STEPPER = "harness/trace/step.c"
"""Counts what a call executes: for seconds, at each new implementation that a run measures. Runs do without it."""


@dataclass(frozen=True)
class SmallTree:
    """A folder that CYCLOMETER_TREE may point at."""

    root: Path

    @classmethod
    def grow(cls, root: Path, *implementations: str) -> SmallTree:
        """Make a tree with all shared sources but the stepper, and these implementations or composed primitives.

        They are named operation/primitive/implementation, or operation/primitive.
        """
        tree = cls(root)
        for folder in ("adapters", "harness", "modes", "operations", "toolchains"):
            tree.copy(folder)
        for shared in _shared_folders():
            tree.copy(shared)
        for compiler in (root / "toolchains").glob("*.toml"):
            compiler.unlink()
        (tree / STEPPER).unlink()
        tree.write("toolchains/gcc.toml", ONE_COMPILER)
        (root / "providers").mkdir()
        for name in implementations:
            tree.plant(name)
        return tree

    def plant(self, name: str) -> None:
        """Add an implementation with the declaration and the vectors of its primitive."""
        operation, primitive, *implementation = name.split("/")
        for file in (REPOSITORY / "primitives" / operation / primitive).glob("*.*"):
            self.copy(f"primitives/{operation}/{primitive}/{file.name}")
        for one in implementation:
            self.copy(f"primitives/{operation}/{primitive}/{one}")

    def copy(self, path: str) -> Path:
        """Copy a file or folder of the repository to the same path."""
        source, target = REPOSITORY / path, self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True, copy_function=shutil.copy)
        else:
            shutil.copy(source, target)
        return target

    def write(self, path: str, text: str) -> Path:
        """Write a new file, without the common indentation of its text."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
        return target

    def change(self, path: str, old: str, new: str) -> None:
        """Replace the one occurrence of `old` in a file."""
        target = self.root / path
        text = target.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{path} has {text.count(old)} times {old!r}"
        target.write_text(text.replace(old, new), encoding="utf-8")

    def __truediv__(self, path: str) -> Path:
        return self.root / path


@cache
def _shared_folders() -> list[str]:
    """List what implementations share; the search takes as long as all the copying."""
    return [str(shared.relative_to(REPOSITORY)) for shared in (REPOSITORY / "primitives").glob("**/_*")]
