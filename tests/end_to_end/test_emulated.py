# SPDX-License-Identifier: MIT OR Apache-2.0
"""Other machines in an emulator: implementations are checked there and their instructions counted, never cycles."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path

import pytest

from cyclometer.store import list_runs
from support.command_line import CommandLine
from support.our_catalogue import our_catalogue
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
CATALOGUE = our_catalogue()


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


def test_an_emulated_machine_of_a_fleet_checks_and_has_no_run(
    tree: SmallTree, cyclometer: CommandLine, tmp_path: Path
) -> None:
    """Of two implementations one is wrong there: the fleet says so, beside the run of the real machine."""
    pytest.importorskip("distributed", reason="pip install 'cyclometer[fleet]'")
    require("aarch64")
    tree.copy("toolchains/aarch64.toml")
    wrong = tree.copy("primitives/crypto_onetimeauth/poly1305/ref")
    wrong = wrong.rename(wrong.with_name("wrong_there"))
    tree.copy("primitives/crypto_onetimeauth/poly1305/ref")
    [source] = wrong.glob("*.c")
    text = source.read_text(encoding="utf-8")
    place = text.index("{", text.index("crypto_onetimeauth_authenticate(")) + 1
    broken = "\n#ifdef __aarch64__\n    return 0;\n#endif\n"
    source.write_text(text[:place] + broken + text[place:], encoding="utf-8")
    roster = tmp_path / "FLEET.toml"
    roster.write_text(
        '[[machine]]\nname = "here"\n[[machine]]\nname = "arm"\nreach = "emulated"\ntoolchain = "aarch64"\n',
        encoding="utf-8",
    )
    options = ("--rounds", "1", "--patience", "0")
    result = cyclometer("fleet", "run", roster, "poly1305", *options, seconds=900)
    assert result.status == 0, result.stderr
    assert [run.machine for run in list_runs(cyclometer.results)] == ["here"]
    assert "arm: crypto_onetimeauth: checked in an emulator, not timed: " in result.stderr
    assert "arm: crypto_onetimeauth poly1305 wrong_there aarch64-O2: vector" in result.stderr
    [file] = (cyclometer.results / ".fleet" / "checked").iterdir()
    found = json.loads(file.read_text(encoding="utf-8"))
    assert {subject.split()[2] for subject in found["wrong"]} == {"wrong_there"}
    assert {subject.split()[2] for subject in found["right"]} == {"ref"}
    assert {count["measure"] for count in found["instructions"]} == {"authenticate"}, "its small work load"
    assert all(count["instructions"] > 100 for count in found["instructions"])
