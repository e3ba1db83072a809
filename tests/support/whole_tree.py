# SPDX-License-Identifier: MIT OR Apache-2.0
"""All of the repository's primitives behind one toolchain, built and checked as the pipeline does it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from cyclometer import campaign
from cyclometer.records.catalogue import Catalogue, Primitive
from cyclometer.records.executable import Executable
from cyclometer.records.failure import UNAVAILABLE, Failure
from support.small_tree import ONE_COMPILER, REPOSITORY, SmallTree


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
    """The tree and a environment on it."""

    tree: SmallTree
    environment: campaign.Environment

    @classmethod
    def with_toolchain(cls, root: Path, toolchain: str) -> WholeTree:
        """Links to all of the repository; `gcc` is reduced to one compiler."""
        root.mkdir()
        for folder in ("harness", "operations", "primitives", "providers"):
            (root / folder).symlink_to(REPOSITORY / folder)
        tree = SmallTree(root)
        tree.copy("toolchains")
        tree.write("toolchains/gcc.toml", ONE_COMPILER)
        return cls(tree, campaign.prepare_environment(root, toolchain))

    def check(self, system: str, *names: str) -> tuple[list[Executable], list[Failure]]:
        """(those that are right, those that are wrong) of one system, of its implementations of these names.
        What only cannot run here is neither."""
        options = campaign.Options(systems=(system,), implementations=names)
        right, failures = campaign.check(self.environment, options, Silence())
        return right, [f for f in failures if f.subject.implementation and not is_a_lack(f)]


def is_a_lack(failure: Failure) -> bool:
    """Whether a failure only says what this machine or this toolchain does not have."""
    return failure.kind in UNAVAILABLE


# A composed system is its parts and the combiner: where the parts are right by themselves, these and the first of
# every other kind of composition show whether the combiner is.
SHOWN_COMPOSED = {"crypto_aead/salsa20-poly1305", "crypto_aead/aes-128-poly1305", "crypto_aead/rc4-poly1305"}


def one_of_each_family(catalogue: Catalogue) -> list[str]:
    """The keys of the first primitive of each family: what it is made of stands in the others, too."""
    first: dict[tuple[str, ...], str] = {}
    for key in sorted(catalogue.primitives):
        first.setdefault(_family(catalogue, catalogue.primitives[key]), key)
    return sorted({*first.values(), *SHOWN_COMPOSED} & set(catalogue.primitives))


def one_of_each_operation(catalogue: Catalogue) -> list[str]:
    """The key of the first primitive of each operation that has a `ref` of its own."""
    refs = sorted(f"{i.operation}/{i.primitive}" for i in catalogue.implementations if i.name == "ref")
    return list({key.partition("/")[0]: key for key in reversed(refs)}.values())


def marked(keys: list[str], catalogue: Catalogue) -> list[object]:
    """All primitives for pytest.mark.parametrize: those of `keys` run by default, the others are exhaustive."""
    return [
        pytest.param(key, marks=pytest.mark.slow if key in keys else pytest.mark.exhaustive)
        for key in sorted(catalogue.primitives)
    ]


def readable(catalogue: Catalogue, key: str) -> str:
    """The name of the implementation that runs on every machine; '' where libraries alone have the primitive."""
    composed = catalogue.primitives[key].composed
    if composed:
        return readable(catalogue, "/".join(composed.parts[composed.searched])) if composed.searched else composed.name
    has_ref = any(f"{i.operation}/{i.primitive}" == key and i.name == "ref" for i in catalogue.implementations)
    return "ref" if has_ref else ""


def _family(catalogue: Catalogue, primitive: Primitive) -> tuple[str, ...]:
    """Primitives of one family: composed in the same way; by libraries alone or on the same shared source, and of
    one name but for numbers (aes-128-gcm, aes-256-gcm). Otherwise each is its own."""
    composed = primitive.composed
    if composed:
        return primitive.operation, composed.name
    letters = re.match(r"[a-z]*", primitive.name)
    assert letters
    of_it = [i for i in catalogue.implementations if f"{i.operation}/{i.primitive}" == primitive.key]
    texts = [f.read_text(encoding="utf-8") for i in of_it if not i.library for f in i.sources]
    shared = sorted({name for text in texts for name in re.findall(r'#include "[./]*(_[\w-]+)/', text)})
    alone = () if shared or all(i.library for i in of_it) else (primitive.name,)
    return primitive.operation, letters.group(), *shared, *alone
