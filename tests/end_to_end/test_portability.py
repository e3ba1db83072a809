# SPDX-License-Identifier: MIT OR Apache-2.0
"""Portable implementations on machines of another byte order and word size, and everything under sanitizers."""

from __future__ import annotations

import pytest

from command_line import CommandLine
from cyclometer.discover import discover
from cyclometer.errors import MachineUnfit
from small_tree import REPOSITORY, SmallTree
from tools_needed import is_missing
from whole_tree import WholeTree, one_of_each_family, one_of_each_operation, readable

CATALOGUE = discover(REPOSITORY)
OWN = {
    f"{i.operation}/{i.primitive}"
    for i in CATALOGUE.implementations
    if i.folders[0].is_relative_to(REPOSITORY / "primitives")
}
TOOLCHAINS = ("s390x", "armhf", "sanitizers")


def own(key: str) -> tuple[str, ...]:
    """The names of a primitive's implementations that are no library's."""
    names = {i.name for i in CATALOGUE.implementations if f"{i.operation}/{i.primitive}" == key and not i.library}
    return tuple(sorted(names))


def everywhere() -> list[object]:
    """What runs by default: byte order shows in the `ref` of each family, word size in one primitive of each
    operation, and errors of memory in all that is our own of each family. `pytest -m exhaustive` tries all."""
    families = [key for key in one_of_each_family(CATALOGUE) if readable(CATALOGUE, key)]
    composed = {key for key in families if CATALOGUE.primitives[key].composed}
    cases = [("s390x", key, () if key in composed else ("ref",)) for key in families]
    cases += [("armhf", key, ()) for key in one_of_each_operation(CATALOGUE)]
    cases += [("sanitizers", key, () if key in composed else own(key)) for key in families]
    return [pytest.param(toolchain, key, names, id=f"{toolchain}-{key}") for toolchain, key, names in cases]


@pytest.fixture(scope="module")
def elsewhere(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> WholeTree:
    """Everything behind a check-only toolchain."""
    try:
        return WholeTree.with_toolchain(tmp_path_factory.mktemp("whole") / "tree", request.param)
    except MachineUnfit as error:
        is_missing(str(error))


@pytest.mark.slow
@pytest.mark.parametrize(("elsewhere", "key", "names"), everywhere(), indirect=["elsewhere"])
def test_one_of_each_family_is_right_elsewhere(key: str, names: tuple[str, ...], elsewhere: WholeTree) -> None:
    right, wrong = elsewhere.check(key, *names)
    assert wrong == []
    assert readable(CATALOGUE, key) in {executable.subject.implementation for executable in right}


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", sorted(CATALOGUE.primitives))
@pytest.mark.parametrize("elsewhere", TOOLCHAINS, indirect=True)
def test_every_implementation_is_right_elsewhere(key: str, elsewhere: WholeTree) -> None:
    right, wrong = elsewhere.check(key)
    assert wrong == []
    assert readable(CATALOGUE, key) in {"", *(executable.subject.implementation for executable in right)}


def test_check_takes_a_toolchain_on_the_command_line(tree: SmallTree, cyclometer: CommandLine) -> None:
    """The sanitizers, since they are gcc's own."""
    tree.copy("toolchains/sanitizers.toml")
    said = cyclometer("check", "aes-128-gcm", "--toolchain", "sanitizers")
    assert said.status == 0, said.stdout + said.stderr
    assert said.line("ok", "aes-128-gcm ref")
