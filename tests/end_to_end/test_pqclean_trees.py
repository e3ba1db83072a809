# SPDX-License-Identifier: MIT OR Apache-2.0
"""A synthetic tree in PQClean's layout: listed, built with common/, and compared with its known answers."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from support.command_line import CommandLine
from support.foreign_tree import ForeignTree
from support.known_answers import MASK, MASK_HEADER, TOY_KEM, toy_records

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)

RIGHT = hashlib.sha256(toy_records(1).removesuffix("\n").encode()).hexdigest()
META = """
name: Toy
type: kem
nistkat-sha256: {digest}
implementations:
  - name: clean
    version: of this test
  - name: elsewhere
    version: of this test
    supported_platforms:
      - architecture: vax
        required_flags: [polynomials]
"""


def grow(root: Path, digest: str = RIGHT) -> Path:
    """Write one scheme with a portable implementation and one that runs nowhere."""
    tree = ForeignTree(root)
    tree.write("crypto_kem/toy-1/META.yml", META.format(digest=digest))
    for name in ("clean", "elsewhere"):
        space = f"PQCLEAN_TOY1_{name.upper()}_"
        sizes = ("SECRETKEYBYTES", "PUBLICKEYBYTES", "CIPHERTEXTBYTES", "BYTES")
        tree.write(f"crypto_kem/toy-1/{name}/api.h", "".join(f"#define {space}CRYPTO_{size} 32\n" for size in sizes))
        tree.write(f"crypto_kem/toy-1/{name}/kem.c", TOY_KEM.replace("@", f"{space}crypto_kem_"))
    tree.write("common/mask.h", MASK_HEADER)
    tree.write("common/mask.c", MASK)
    tree.write("common/unused.c", "#error nobody includes its header\n")
    return root


def test_the_tree_is_listed(tmp_path: Path, cyclometer: CommandLine) -> None:
    result = cyclometer("run", "--tree", grow(tmp_path / "pqclean"), "--list")
    assert result.status == 0, result.stderr
    assert result.line("toy-1 elsewhere").endswith("left out, for vax only")
    assert result.line("toy-1 clean").endswith("toy-1 clean")
    assert "2 implementations of 1 primitive, 1 left out" in result.stdout


@pytest.mark.parametrize("part", ["", "crypto_kem", "crypto_kem/toy-1", "crypto_kem/toy-1/clean"])
def test_the_known_answer_confirms(part: str, tmp_path: Path, cyclometer: CommandLine) -> None:
    result = cyclometer("check", grow(tmp_path / "pqclean") / part, "--compiler", "gcc-O2", "--verbose")
    assert result.status == 0, result.stdout + result.stderr
    assert result.line("ok", "toy-1 clean")


def test_another_known_answer_is_a_failure(tmp_path: Path, cyclometer: CommandLine) -> None:
    result = cyclometer("check", grow(tmp_path / "pqclean", "00" * 32), "--compiler", "gcc-O2")
    assert result.status == 1
    assert f"nistkat is sha256 {RIGHT}, not sha256 {'00' * 32}" in result.line("WRONG", "toy-1 clean")


def test_a_run_of_one_implementation(tmp_path: Path, cyclometer: CommandLine) -> None:
    folder = grow(tmp_path / "pqclean") / "crypto_kem/toy-1/clean"
    result = cyclometer("run", "--tree", folder, "--compiler", "gcc-O2", "--rounds", "1", "--no-tables")
    assert result.status == 0, result.stdout + result.stderr
