# SPDX-License-Identifier: MIT OR Apache-2.0
"""Portable implementations on machines of another byte order and word size, and all under sanitizers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from cyclometer.errors import MachineUnfit
from support.command_line import CommandLine
from support.our_catalogue import our_catalogue
from support.requirements import is_missing
from support.small_tree import REPOSITORY, SmallTree
from support.whole_tree import WholeTree, one_of_each_family, one_of_each_operation, readable

CATALOGUE = our_catalogue()
OWN = {
    f"{i.operation}/{i.primitive}"
    for i in CATALOGUE.implementations
    if i.folders[0].is_relative_to(REPOSITORY / "primitives")
}
TOOLCHAINS = ("s390x", "armhf", "sanitizers")


def own(key: str) -> tuple[str, ...]:
    """Return the names of a primitive's implementations that are not a library's."""
    names = {i.name for i in CATALOGUE.implementations if f"{i.operation}/{i.primitive}" == key and not i.library}
    return tuple(sorted(names))


# These take minutes under a sanitizer, for loops that other cases run, too.
LEFT_TO_EXHAUSTIVE = {
    ("sanitizers", "crypto_stream/mickey-128-2"): {"ref"},
    ("sanitizers", "crypto_blockcipher/serpent"): {"avx2", "avx512"},
    ("sanitizers", "crypto_dh/surf127eps"): {"avx512ifma", "ref"},
    ("sanitizers", "crypto_sign/bls"): {"gmp", "x86", "sha_ni"},
}


def one(key: str) -> tuple[str, ...]:
    """Return the name of the portable implementation; () means all, where there is only a combiner."""
    composed = CATALOGUE.primitives[key].composed
    return () if composed and not composed.searched else (readable(CATALOGUE, key),)


def everywhere() -> list[object]:
    """List the cases that run by default; `pytest -m exhaustive` runs all.

    Byte order is tested on the `ref` of each family, word size on one primitive per operation, memory errors on both;
    of a composed system, the combiner with one implementation. Code that depends on the byte order gives other answers
    than published vectors have, so property tests run in that emulator for one primitive per operation only.
    """
    whole = {key for key in one_of_each_operation(CATALOGUE) if not CATALOGUE.primitives[key].composed}
    families = [key for key in one_of_each_family(CATALOGUE) if readable(CATALOGUE, key)]
    cases = [("s390x", key, one(key)) for key in families]
    cases += [("armhf", key, ()) for key in one_of_each_operation(CATALOGUE)]
    cases += [("sanitizers", key, own(key) if key in whole else one(key)) for key in families]
    chosen = []
    for toolchain, key, names in cases:
        left = tuple(name for name in names if name not in LEFT_TO_EXHAUSTIVE.get((toolchain, key), ()))
        if left or not names:
            chosen.append(pytest.param(toolchain, key, left, id=f"{toolchain}-{key}"))
    return chosen


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., WholeTree]:
    """Return a function that prepares the whole tree with a check-only toolchain, once each."""

    @cache
    def prepared(toolchain: str, libraries: bool = False) -> WholeTree:
        try:
            home = tmp_path_factory.mktemp("whole")
            return WholeTree.with_toolchain(home / "tree", toolchain, libraries=libraries)
        except MachineUnfit as error:
            is_missing(str(error))

    return prepared


@pytest.mark.slow
@pytest.mark.parametrize(("toolchain", "key", "names"), everywhere())
def test_one_implementation_of_each_family_is_right_elsewhere(
    toolchain: str, key: str, names: tuple[str, ...], elsewhere: Callable[..., WholeTree]
) -> None:
    tree = elsewhere(toolchain)
    vectors_alone = toolchain == "s390x" and key not in one_of_each_operation(CATALOGUE)
    right, wrong = (tree.check_vectors if vectors_alone else tree.check)(key, *names)
    assert wrong == []
    assert right


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", sorted(CATALOGUE.primitives))
@pytest.mark.parametrize("toolchain", TOOLCHAINS)
def test_every_implementation_is_right_elsewhere(toolchain: str, key: str, elsewhere: Callable[..., WholeTree]) -> None:
    right, wrong = elsewhere(toolchain, libraries=True).check(key)
    assert wrong == []
    assert readable(CATALOGUE, key) in {"", *(executable.subject.implementation for executable in right)}


def test_check_takes_a_toolchain_on_the_command_line(tree: SmallTree, cyclometer: CommandLine) -> None:
    """The toolchain is that of the sanitizers, which gcc contains."""
    tree.copy("toolchains/sanitizers.toml")
    result = cyclometer("check", "aes-128-gcm", "--toolchain", "sanitizers")
    assert result.status == 0, result.stdout + result.stderr
    assert result.line("ok", "aes-128-gcm ref")


def test_the_sanitizers_watch_the_checks_themselves(tree: SmallTree, cyclometer: CommandLine) -> None:
    """A check that writes outside its own memory may call right code wrong."""
    tree.copy("toolchains/sanitizers.toml")
    tree.change("operations/crypto_aead/check.c", "plain[MAX_LENGTH]", "plain[40]")
    result = cyclometer("check", "aes-128-gcm", "--toolchain", "sanitizers")
    assert result.status == 1, result.stdout + result.stderr
    assert "the first call: aborts (SIGABRT): AddressSanitizer: global-buffer-overflow" in result.stdout
