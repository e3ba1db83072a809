# SPDX-License-Identifier: MIT OR Apache-2.0
"""Folders side by side, each with an api.h: implementations of one primitive, or several primitives."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from support.command_line import CommandLine
from support.foreign_tree import ForeignTree
from support.nist_tree import AEAD, AEAD_API, HASH, grow_hash

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)

OTHER_HASH = HASH.replace("0xcbf29ce484222325", "0x84222325cbf29ce4")
BYTES = "#define CRYPTO_BYTES"
NAME = "#define CRYPTO_ALGNAME"


def primitives(tree: Path, cyclometer: CommandLine) -> dict[str, str]:
    """Return each implementation's primitive, as `run --list` has them."""
    lines = cyclometer("run", "--tree", tree, "--list").stdout.splitlines()
    words = [line.partition(":")[0].split() for line in lines if line.startswith("crypto_")]
    return {name: primitive for _, primitive, name in words}


def grow(root: Path, apis: dict[str, str]) -> Path:
    tree = ForeignTree(root)
    for name, api in apis.items():
        tree.write(f"{name}/api.h", f"{api}\n")
        tree.write(f"{name}/hash.c", HASH)
    return root


@pytest.mark.parametrize(
    "different",
    [
        (f'{BYTES} 8\n{NAME} "Toy-1"', f'{BYTES} 8\n{NAME} "Toy-2"'),
        (f"{BYTES} 8", f"{BYTES} 4"),
        (f"{BYTES} (8u) // hash", f"{BYTES} 0x10 /* hash */"),
        (f"{BYTES} 8\n#define CRYPTO_KEYBYTES 16", f"{BYTES} 8\n#define CRYPTO_KEYBYTES 32"),
    ],
)
def test_names_or_sizes_that_differ_make_different_primitives(
    different: tuple[str, str], tmp_path: Path, cyclometer: CommandLine
) -> None:
    tree = ForeignTree(grow(tmp_path / "toy", {"toy_1": different[0], "toy_2": different[1]}))
    tree.write("toy_2/hash.c", OTHER_HASH)
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    assert result.status == 0, result.stdout + result.stderr
    assert result.line("ok", "crypto_hash toy_1 toy_1")
    assert result.line("ok", "crypto_hash toy_2 toy_2")


def test_implementations_of_each_set_are_still_compared(tmp_path: Path, cyclometer: CommandLine) -> None:
    one, two = f'{BYTES} 8\n{NAME} "Toy-1"', f'{BYTES} 4\n{NAME} "Toy-2"'
    tree = ForeignTree(grow(tmp_path / "toy", {"ref-1": one, "avx2-1": one, "ref-2": two, "avx2-2": two, "sse-1": one}))
    tree.write("avx2-1/hash.c", OTHER_HASH)
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    assert result.status == 1
    assert "disagrees with ref-1" in result.line("WRONG", "crypto_hash Toy-1 avx2-1")
    assert result.line("ok", "crypto_hash Toy-1 ref-1")
    assert result.line("ok", "crypto_hash Toy-2 ref-2")
    assert result.line("ok", "crypto_hash Toy-2 avx2-2")


KNOWN = """Count = 1
Key = 000102030405060708090A0B0C0D0E0F
Nonce = 101112131415161718191A1B1C1D1E1F
PT =
AD =
CT = {}
"""


def test_known_answers_that_differ_make_different_primitives(tmp_path: Path, cyclometer: CommandLine) -> None:
    """All have the same api.h; the tag is the key XORed with the nonce, or its complement."""
    tree = ForeignTree(tmp_path / "toys")
    inverted = AEAD.replace("(k[i] ^ n[i])", "(unsigned char)~(k[i] ^ n[i])").replace(
        "= k[i] ^ n[i]", "= (unsigned char)~(k[i] ^ n[i])"
    )
    for name, source, byte in (("Toy-N", AEAD, "10"), ("Toy-M", inverted, "EF"), ("Toy-M-fast", inverted, "EF")):
        tree.write(f"{name}/api.h", AEAD_API)
        tree.write(f"{name}/aead.c", source)
        tree.write(f"{name}/LWC_AEAD_KAT_128_128.txt", KNOWN.format(16 * byte))
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    assert "disagrees" not in result.stdout
    assert primitives(tree.root, cyclometer) == {"Toy-N": "Toy-N", "Toy-M": "toys", "Toy-M-fast": "toys"}


@pytest.mark.parametrize(
    "apis",
    [
        {"ref": f'{BYTES} 8\n{NAME} "Toy"', "avx2": f'{BYTES}   (8)\r\n{NAME} "Toy"', "sse": f"{BYTES} 0x8"},
        {"ref": f"{BYTES} 8", "avx2": f"{BYTES} (4 + 4)", "sse": f'#include "p.h"\n{BYTES} TOY_BYTES'},
        {
            "ref": f'#if N\n{BYTES} 8\n{NAME} "Toy-1"\n#else\n{BYTES} 4\n{NAME} "Toy-2"\n#endif',
            "avx2": f"{BYTES} 4\n{NAME} TOY_NAME",
            "sse": f'{BYTES} 4\n// {BYTES} 16\n{NAME} "Toy-2"',
        },
    ],
)
def test_what_is_equal_or_unknown_stays_one_primitive(
    apis: dict[str, str], tmp_path: Path, cyclometer: CommandLine
) -> None:
    assert primitives(grow(tmp_path / "toy", apis), cyclometer) == dict.fromkeys(apis, "toy")


def test_an_odd_one_leaves_the_others_together(tmp_path: Path, cyclometer: CommandLine) -> None:
    """Of what is unknown, it cannot be told to which of two it belongs."""
    tree = grow(tmp_path / "toy", {"ref": f"{BYTES} 8", "avx2": f"{BYTES} 8", "odd": f"{BYTES} 4"})
    assert primitives(tree, cyclometer) == {"ref": "toy", "avx2": "toy", "odd": "odd"}
    grow(tree, {"unknown": f"{BYTES} (2 * 4)"})
    assert primitives(tree, cyclometer) == {"ref": "toy", "avx2": "toy", "odd": "odd", "unknown": "unknown"}


def test_names_are_never_shared(tmp_path: Path, cyclometer: CommandLine) -> None:
    """The same name in two folders of sets, and a name in an api.h that is no name."""
    eight, four = f'{BYTES} 8\n{NAME} "Toy"', f'{BYTES} 4\n{NAME} "../"'
    apis = {f"{home}/{name}": api for home in ("a", "b") for name, api in {"x": eight, "y": eight, "z": four}.items()}
    assert primitives(grow(tmp_path / "toys", {**apis, "b/w": four}), cyclometer).keys() == {"x", "y", "z", "w"}
    lines = cyclometer("run", "--tree", tmp_path / "toys", "--list").stdout.splitlines()
    expected = ["a-x x", "a-x y", "a-z z", "b w", "b-x x", "b-x y", "b z"]
    assert [line.removeprefix("crypto_hash ") for line in lines if line.startswith("crypto_")] == expected


def test_a_part_of_a_package_has_the_names_of_the_whole(tmp_path: Path, cyclometer: CommandLine) -> None:
    apis = {f"Additional_Implementations/{name}": f"{BYTES} {size}" for name, size in {"a": 8, "b": 4}.items()}
    root = grow(tmp_path / "package", {"Reference_Implementation": f"{BYTES} 8", **apis})
    ForeignTree(root).write("KAT/PQChashKAT.rsp", "# Toy\n\ncount = 0\n")
    whole = primitives(root, cyclometer)
    assert whole == {
        "Reference_Implementation": "package",
        "Additional_Implementations/a": "package",
        "Additional_Implementations/b": "Additional_Implementations-b",
    }
    part = primitives(root / "Additional_Implementations", cyclometer)
    assert part == {name: whole[name] for name in apis}


def test_folders_of_a_lightweight_package_keep_their_names(tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(grow_hash(tmp_path / "lwc"))
    tree.write("crypto_hash/fnv/plain/api.h", f"{BYTES} 4\n")
    assert primitives(tree.root, cyclometer) == {"ref": "fnv", "plain": "fnv"}


def test_an_implementation_of_a_folder_is_that_of_the_set_that_has_it(tmp_path: Path, cyclometer: CommandLine) -> None:
    grow(tmp_path / "toy", {"ref": f"{BYTES} 8", "avx2": f"{BYTES} 8", "odd": f"{BYTES} 4"})
    measure = ("--compiler", "gcc-O2", "--rounds", "1")
    result = cyclometer("compare", "./toy:ref", "./toy:avx2", *measure)
    assert result.status == 0, result.stdout + result.stderr
    assert "A: toy ref gcc-O2" in result.stdout
    assert "B: toy avx2 gcc-O2" in result.stdout
    cyclometer("compare", "./toy:ref", "./toy:none", *measure).complains("none")
