# SPDX-License-Identifier: MIT OR Apache-2.0
"""All of the repository's primitives behind one toolchain, built and checked as the pipeline does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cyclometer import pipeline
from cyclometer.model import Executable, Failure
from small_tree import ONE_COMPILER, REPOSITORY, SmallTree


class Silence:
    """A pipeline.Progress that tells nothing."""

    def say(self, line: str) -> None:
        """Nothing."""

    @contextmanager
    def stage(self, title: str, steps: int) -> Iterator[Callable[[], None]]:
        """No steps are counted."""
        yield lambda: None


@dataclass(frozen=True)
class WholeTree:
    """The tree and a bench on it."""

    tree: SmallTree
    bench: pipeline.Bench

    @classmethod
    def with_toolchain(cls, root: Path, toolchain: str) -> WholeTree:
        """Links to all of the repository; `gcc` is reduced to one compiler."""
        root.mkdir()
        for folder in ("harness", "operations", "primitives", "providers"):
            (root / folder).symlink_to(REPOSITORY / folder)
        tree = SmallTree(root)
        tree.copy("toolchains")
        tree.write("toolchains/gcc.toml", ONE_COMPILER)
        return cls(tree, pipeline.prepare(root, toolchain))

    def check(self, system: str) -> tuple[list[Executable], list[Failure]]:
        """(those that are right, those that are wrong) of one system. What only cannot run here is neither."""
        right, failures = pipeline.check(self.bench, pipeline.Options(systems=(system,)), Silence())
        return right, [f for f in failures if f.subject.implementation and not is_a_lack(f)]


def is_a_lack(failure: Failure) -> bool:
    """Whether a failure only says what this machine or this toolchain does not have."""
    return failure.reason.startswith(("needs ", "the libraries of "))
