# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every implementation that this machine can run: vectors, properties, agreement, and independent references."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.check import VectorFile, all_requests, check_vectors
from support.our_catalogue import our_catalogue
from support.reference_implementations import VECTORS, poly1305
from support.whole_tree import WholeTree, marked, one_of_each_family, readable

CATALOGUE = our_catalogue()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> WholeTree:
    """Set up the whole tree, built by gcc -O2."""
    return WholeTree.with_toolchain(tmp_path_factory.mktemp("whole") / "tree", "gcc")


@pytest.mark.parametrize("key", marked(one_of_each_family(CATALOGUE), CATALOGUE))
def test_every_implementation_is_right(key: str, whole: WholeTree) -> None:
    right, wrong = whole.check(key)
    assert wrong == []
    if not right and not readable(CATALOGUE, key):
        pytest.skip("libraries alone have it, and none of them is here")
    assert (readable(CATALOGUE, key) or right[0].subject.implementation) in {e.subject.implementation for e in right}


@pytest.mark.parametrize("key", sorted(VECTORS))
def test_independent_implementations_agree(key: str, whole: WholeTree) -> None:
    operation, system = key.split("/")
    file = VectorFile(path=Path("independent.json"), operation=operation, system=system, vectors=tuple(VECTORS[key]()))
    built, _ = whole.build(key)
    assert built
    for executable in built:
        assert check_vectors(executable, all_requests(file, whole.environment.catalogue.operations[operation])) is None


def test_the_reference_poly1305_is_right() -> None:
    """The vector is that of RFC 8439, section 2.5.2."""
    key = bytes.fromhex("85d6be7857556d337f4452fe42d506a8")
    pad = bytes.fromhex("0103808afb0db2fd4abff6af4149f51b")
    message = b"Cryptographic Forum Research Group"
    assert poly1305(key, pad, message).hex() == "a8061dc1305136c6c22b8baf0c0127a9"
