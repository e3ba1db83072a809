# SPDX-License-Identifier: MIT OR Apache-2.0
"""Portable implementations on machines of another byte order and word size, and everything under sanitizers."""

from __future__ import annotations

import pytest

from command_line import CommandLine
from cyclometer.discover import discover
from cyclometer.errors import MachineUnfit
from small_tree import REPOSITORY, SmallTree
from tools_needed import is_missing
from whole_tree import WholeTree

CATALOGUE = discover(REPOSITORY)

# A composed system is its stream, its authenticator and the combiner: where the first two are right by
# themselves, three streams of different nature show whether the third is. `pytest -m exhaustive` tries them all.
SHOWN = {"crypto_aead/salsa20-poly1305", "crypto_aead/aes-128-poly1305", "crypto_aead/rc4-poly1305"}
PRIMITIVES = [
    pytest.param(key, marks=pytest.mark.exhaustive if primitive.composed and key not in SHOWN else pytest.mark.slow)
    for key, primitive in CATALOGUE.primitives.items()
]


@pytest.fixture(scope="module", params=["s390x", "armhf", "sanitizers"])
def elsewhere(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> WholeTree:
    """Everything behind a check-only toolchain."""
    try:
        return WholeTree.with_toolchain(tmp_path_factory.mktemp("whole") / "tree", request.param)
    except MachineUnfit as error:
        is_missing(str(error))


@pytest.mark.parametrize("key", PRIMITIVES)
def test_every_implementation_is_right_elsewhere(key: str, elsewhere: WholeTree) -> None:
    right, wrong = elsewhere.check(key)
    assert wrong == []
    assert "ref" in {executable.subject.implementation for executable in right}


def test_check_takes_a_toolchain_on_the_command_line(tree: SmallTree, cyclometer: CommandLine) -> None:
    """The sanitizers, since they are gcc's own."""
    tree.copy("toolchains/sanitizers.toml")
    said = cyclometer("check", "aes-128-gcm", "--toolchain", "sanitizers")
    assert said.status == 0, said.stdout + said.stderr
    assert said.line("ok", "aes-128-gcm ref")
