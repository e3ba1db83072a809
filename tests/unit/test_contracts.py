# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two numbers compare only under the same contract: the API, the timed loops, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cyclometer.build import contracts
from cyclometer.discover import discover
from small_tree import SmallTree


@pytest.fixture
def contract(tree: SmallTree) -> Callable[[], str]:
    """That of crypto_stream as the tree stands now."""

    def now() -> str:
        return contracts(tree.root, discover(tree.root).operations.values())["crypto_stream"]

    return now


@pytest.mark.parametrize(
    "file",
    [
        "operations/crypto_stream/measure.c",
        "operations/crypto_stream/crypto_stream.h",
        "harness/samples.c",
        "harness/timing.h",
        "harness/reference.h",
    ],
)
def test_a_change_of_what_is_timed_changes_the_contract(
    file: str, tree: SmallTree, contract: Callable[[], str]
) -> None:
    before = contract()
    (tree / file).write_text((tree / file).read_text() + "/* changed */\n")
    assert contract() != before


@pytest.mark.parametrize(
    "file",
    [
        "operations/crypto_stream/check.c",
        "operations/crypto_aead/measure.c",
        "primitives/crypto_stream/salsa20/ref/salsa20.c",
        "harness/record.c",
    ],
)
def test_a_change_of_anything_else_does_not(file: str, tree: SmallTree, contract: Callable[[], str]) -> None:
    before = contract()
    (tree / file).write_text((tree / file).read_text() + "/* changed */\n")
    assert contract() == before


def test_the_contract_does_not_depend_on_where_the_tree_stands(
    tree: SmallTree, contract: Callable[[], str]
) -> None:
    before = contract()
    moved = tree.root.with_name("elsewhere")
    tree.root.rename(moved)
    after = contracts(moved, discover(moved).operations.values())["crypto_stream"]
    assert after == before
