# SPDX-License-Identifier: MIT OR Apache-2.0
"""Other machines in an emulator: implementations are checked there and their instructions counted, never cycles."""

from __future__ import annotations

import json
import shutil
from functools import cache

import pytest

from cyclometer.discover import discover
from support.command_line import CommandLine
from support.requirements import is_missing
from support.small_tree import REPOSITORY, SmallTree

COMPILERS = {
    "aarch64": "aarch64-linux-gnu-gcc",
    "riscv64": "riscv64-linux-gnu-gcc",
    "s390x": "s390x-linux-gnu-gcc",
    "armhf": "arm-linux-gnueabihf-gcc",
    "ppc64le": "powerpc64le-linux-gnu-gcc",
}
NOPS = """
static void __attribute__((noinline)) waste(void)
{
    __asm__ volatile(".rept NUMBER\\n nop\\n .endr");
}
"""
CATALOGUE = discover(REPOSITORY)


def require(toolchain: str) -> None:
    if not shutil.which(COMPILERS[toolchain]):
        is_missing(COMPILERS[toolchain])


@cache
def with_ref() -> list[str]:
    """List the primitives of our tree that have a `ref`."""
    own = REPOSITORY / "primitives"
    found = {
        f"{i.operation}/{i.primitive}"
        for i in CATALOGUE.implementations
        if i.name == "ref" and i.folders[0].is_relative_to(own)
    }
    return sorted(found & CATALOGUE.primitives.keys())


@pytest.mark.parametrize("toolchain", ["aarch64", "riscv64"])
@pytest.mark.parametrize("operation", sorted({key.partition("/")[0] for key in with_ref()}))
@pytest.mark.exhaustive
def test_every_ref_is_right_on_another_machine(operation: str, toolchain: str, cyclometer: CommandLine) -> None:
    require(toolchain)
    systems = [key for key in with_ref() if key.startswith(f"{operation}/")]
    arguments = ("--implementation", "ref", "--toolchain", toolchain, "--format", "json", "--time-limit", "600")
    result = cyclometer("check", *systems, *arguments, seconds=7200, CYCLOMETER_TREE=str(REPOSITORY))
    content = json.loads(result.stdout)
    assert not [failure for failure in content["failures"] if failure["verdict"] == "wrong"]
    right = {f"{subject['operation']}/{subject['primitive']}" for subject in content["ok"]}
    assert right >= set(systems)


@pytest.mark.parametrize("toolchain", sorted(COMPILERS))
def test_a_ref_is_right_and_a_known_number_of_instructions_is_counted(
    toolchain: str, tree: SmallTree, cyclometer: CommandLine
) -> None:
    """An implementation that executes 1000 instructions more is counted with 1000 instructions more."""
    require(toolchain)
    tree.copy(f"toolchains/{toolchain}.toml")
    for name, number in (("longer", 1000), ("longest", 2000)):
        copy = tree.copy("primitives/crypto_onetimeauth/poly1305/ref")
        copy = copy.rename(copy.with_name(name))
        [source] = copy.glob("*.c")
        text = source.read_text(encoding="utf-8")
        start = text.index("{", text.index("crypto_onetimeauth_authenticate(")) + 1
        source.write_text(NOPS.replace("NUMBER", str(number)) + text[:start] + " waste();" + text[start:])
    result = cyclometer("check", "poly1305", "--toolchain", toolchain, "--instructions", "--format", "json")
    assert result.status == 0, result.stdout
    content = json.loads(result.stdout)
    assert "not cycles" in content["instructions"]["unit"]
    counts = {
        count["subject"]["implementation"]: count["instructions"]
        for count in content["instructions"]["counts"]
        if count["measure"] == "authenticate"
    }
    assert counts["longest"] - counts["longer"] == 1000


def test_instructions_are_counted_in_an_emulator_only(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.copy("toolchains/sanitizers.toml")
    cyclometer("check", "poly1305", "--instructions").complains("add --toolchain")
    cyclometer("check", "poly1305", "--instructions", "--toolchain", "sanitizers").complains("add --toolchain")
