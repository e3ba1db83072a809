# SPDX-License-Identifier: MIT OR Apache-2.0
"""The whole tree behind one toolchain, built and checked as in a campaign."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from cyclometer import campaign
from cyclometer.campaign.tune import Tuner
from cyclometer.campaign.verify import Findings
from cyclometer.check import all_requests, check_all, check_vectors, read_vectors
from cyclometer.records.catalogue import Catalogue, Primitive
from cyclometer.records.executable import Executable
from cyclometer.records.failure import UNAVAILABLE, Failure
from support.small_tree import ONE_COMPILER, REPOSITORY, SmallTree


class SilentProgress:
    """A Progress that prints nothing."""

    def say(self, line: str) -> None:
        """Ignore the line."""

    @contextmanager
    def stage(self, title: str, steps: int) -> Iterator[Callable[[], None]]:
        """Ignore the steps."""
        yield lambda: None


@dataclass(frozen=True)
class WholeTree:
    """The tree and its environment."""

    tree: SmallTree
    environment: campaign.Environment

    @classmethod
    def with_toolchain(cls, root: Path, toolchain: str, *, libraries: bool = True) -> WholeTree:
        """Link to all of the repository, or all without the libraries, with `gcc` reduced to one compiler."""
        root.mkdir()
        for folder in ("harness", "operations", "primitives"):
            (root / folder).symlink_to(REPOSITORY / folder)
        if libraries:
            (root / "providers").symlink_to(REPOSITORY / "providers")
        else:
            (root / "providers").mkdir()
        tree = SmallTree(root)
        tree.copy("toolchains")
        tree.write("toolchains/gcc.toml", ONE_COMPILER)
        return cls(tree, campaign.prepare_environment(root, toolchain))

    def check(self, system: str, *names: str) -> tuple[list[Executable], list[Failure]]:
        """Check the named implementations of one system; return the right executables and the failures.

        They are compared with each other alone: the command builds `ref` and libraries beside a few, if they are not
        among them. Implementations that cannot run on this machine are in neither list.
        """
        built, failures = self.build(system, *names)
        right, wrong = check_all(built, self.environment.catalogue, self.environment.verdicts)
        return right, _without_lacks([*failures, *wrong])

    def check_vectors(self, system: str, *names: str) -> tuple[list[Executable], list[Failure]]:
        """Check the named implementations of one system against its published vectors alone; return as `check` does."""
        built, failures = self.build(system, *names)
        catalogue = self.environment.catalogue
        primitive = catalogue.primitives[system]
        operation = catalogue.operations[primitive.operation]
        requests = [each for path in primitive.vectors for each in all_requests(read_vectors(path), operation)]
        assert requests, f"{system} has no vectors"
        wrong = [failure for each in built if (failure := check_vectors(each, requests))]
        subjects = {failure.subject for failure in wrong}
        return [e for e in built if e.subject not in subjects], _without_lacks([*failures, *wrong])

    def build(self, system: str, *names: str) -> tuple[list[Executable], list[Failure]]:
        """Build the named implementations of one system, or all of them, after checking its parts."""
        findings = Findings()
        options = campaign.Options(systems=(system,), implementations=names, all_compilers=True)
        requests = Tuner(self.environment, options, findings, SilentProgress()).requests()
        built, failures = self.environment.builder.build(requests)
        unusable = [failure for failure in self.environment.failures if failure.subject.key == system]
        return built, [*unusable, *findings.failures, *failures]


def _without_lacks(failures: Sequence[Failure]) -> list[Failure]:
    return [failure for failure in failures if failure.subject.implementation and not is_a_lack(failure)]


def is_a_lack(failure: Failure) -> bool:
    """Tell whether a failure only means that this machine or toolchain lacks something."""
    return failure.kind in UNAVAILABLE


# A composed system is its parts and the combiner: if the parts are right, these systems and the first of every
# other composition test the combiner.
SHOWN_COMPOSED = {"crypto_aead/salsa20-poly1305", "crypto_aead/aes-128-poly1305", "crypto_aead/rc4-poly1305"}


def one_of_each_family(catalogue: Catalogue) -> list[str]:
    """List the keys of the first primitive of each family, whose code the others share."""
    first: dict[tuple[str, ...], str] = {}
    for key in sorted(catalogue.primitives, key=lambda key: (key not in SHOWN_COMPOSED, key)):
        first.setdefault(_family(catalogue, catalogue.primitives[key]), key)
    return sorted({*first.values(), *SHOWN_COMPOSED} & set(catalogue.primitives))


def one_of_each_operation(catalogue: Catalogue) -> list[str]:
    """List the key of the first primitive of each operation with its own `ref`."""
    refs = sorted(f"{i.operation}/{i.primitive}" for i in catalogue.implementations if i.name == "ref")
    return list({key.partition("/")[0]: key for key in reversed(refs)}.values())


def marked(keys: list[str], catalogue: Catalogue) -> list[object]:
    """Return all primitives for pytest.mark.parametrize; those of `keys` run by default, the others are exhaustive."""
    return [
        pytest.param(key, marks=pytest.mark.slow if key in keys else pytest.mark.exhaustive)
        for key in sorted(catalogue.primitives)
    ]


def readable(catalogue: Catalogue, key: str) -> str:
    """Return the name of the portable implementation; '' if only libraries have the primitive."""
    composed = catalogue.primitives[key].composed
    if composed:
        return readable(catalogue, "/".join(composed.parts[composed.searched])) if composed.searched else composed.name
    has_ref = any(f"{i.operation}/{i.primitive}" == key and i.name == "ref" for i in catalogue.implementations)
    return "ref" if has_ref else ""


def _family(catalogue: Catalogue, primitive: Primitive) -> tuple[str, ...]:
    """Return a key that is equal for primitives of one family.

    A family has the same composition, or the same shared sources (or libraries alone) and the same name except
    for numbers (aes-128-gcm, aes-256-gcm).
    """
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
