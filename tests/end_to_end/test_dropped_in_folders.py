# SPDX-License-Identifier: MIT OR Apache-2.0
"""Folders as their authors have them: assembly, an editor's files, a bad one among several, slips and their reasons."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from support.command_line import CommandLine
from support.packets_of_rfc_8439 import API, RIGHT
from support.small_tree import REPOSITORY, SmallTree

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)

AS_HASH = ("--as", "crypto_hash/sha-256", "--compiler", "gcc-O2")
AS_AEAD = ("--as", "crypto_aead/chacha20-poly1305", "--compiler", "gcc-O2")
HASH_API = "#define CRYPTO_BYTES 32\n"


@pytest.fixture
def tree(tmp_path: Path) -> SmallTree:
    return SmallTree.grow(tmp_path / "tree", "crypto_aead/chacha20-poly1305/ref", "crypto_hash/sha-256/ref")


def folder(at: Path, api: str, code: str, name: str = "code.c") -> str:
    at.mkdir(parents=True)
    (at / "api.h").write_text(api, encoding="utf-8")
    (at / name).write_text(code, encoding="utf-8")
    return f"./{at.name}"


def sha_256(before: str = "", after: str = "return 0;") -> str:
    """Return the SHA-256 of docs/your-code.md with other code at the start and at the end of the hash function."""
    text = (REPOSITORY / "docs" / "your-code.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```c\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    start = re.compile(r"(int crypto_hash\([^{]*\{)(.*)return 0;", re.DOTALL)
    return start.sub(lambda match: f"{match[1]} {before}{match[2]}{after}", code)


def assembly(tmp_path: Path) -> str:
    """Return what a compiler makes of the right code, with the plain name crypto_hash."""
    folder(tmp_path / "compiled", HASH_API, sha_256())
    subprocess.run(["gcc", "-O2", "-S", "code.c"], cwd=tmp_path / "compiled", check=True)
    text = (tmp_path / "compiled" / "code.s").read_text(encoding="utf-8")
    assert ".globl\tcrypto_hash\n" in text
    return text


def test_assembly_that_is_not_preprocessed_may_have_plain_names(cyclometer: CommandLine, tmp_path: Path) -> None:
    text = assembly(tmp_path)
    mine = folder(tmp_path / "mine", HASH_API, text, "hash.s")
    cyclometer("check", mine, *AS_HASH).line("ok ", "mine mine")
    folder(tmp_path / "supercop/crypto_hash/sha256/asm", HASH_API, text, "hash.s")
    cyclometer("check", "--tree", "supercop", "crypto_hash", "--compiler", "gcc-O2").line("ok ", "sha256 asm")


def test_what_editors_and_systems_leave_under_hidden_names_is_no_source(
    cyclometer: CommandLine, tmp_path: Path
) -> None:
    mine = folder(tmp_path / "mine", HASH_API, sha_256())
    folder(tmp_path / "supercop/crypto_hash/sha256/ref", HASH_API, '#include "crypto_hash.h"\n' + sha_256())
    (tmp_path / "supercop/crypto_hash/sha256/ref/crypto_hash.h").write_text("overridden", encoding="utf-8")
    for home in (tmp_path / "mine", tmp_path / "supercop/crypto_hash/sha256/ref"):
        (home / ".#code.c").symlink_to("me@here.1234:5678")
        (home / "._code.c").write_bytes(b"\0\5\x16\7")
        (home / "._api.h").write_bytes(b"\0\5\x16\7")
    cyclometer("check", mine, *AS_HASH).line("ok ", "mine mine")
    cyclometer("check", "--tree", "supercop", "crypto_hash", "--compiler", "gcc-O2").line("ok ", "sha256 ref")


def test_one_bad_folder_leaves_the_others_their_verdicts(cyclometer: CommandLine, tmp_path: Path) -> None:
    right = folder(tmp_path / "right", HASH_API, sha_256())
    misspelt = folder(tmp_path / "misspelt", "#define CRYPTO_BYTE 32\n", sha_256())
    bare = folder(tmp_path / "bare", HASH_API, sha_256())
    (tmp_path / "bare" / "api.h").unlink()
    result = cyclometer("check", bare, right, misspelt, *AS_HASH)
    assert result.status == 1
    result.line("ok ", "right right")
    result.line("WRONG", "crypto_hash misspelt misspelt", "does not define CRYPTO_BYTES (it defines CRYPTO_BYTE)")
    result.line("WRONG", "crypto_hash bare bare", "it contains code.c but no api.h")
    alone = cyclometer("check", bare, misspelt, *AS_HASH, "--format", "json")
    assert (alone.status, set(alone.kinds()), alone.right()) == (1, {"bare", "misspelt"}, set())
    cyclometer("check", misspelt, *AS_HASH).complains("does not define CRYPTO_BYTES")
    cyclometer("check", bare, right, "--as", "crypto_hash/sha-257").complains("unknown system 'crypto_hash/sha-257'")


def test_many_folders_are_counted(cyclometer: CommandLine, tmp_path: Path) -> None:
    names = [
        folder(tmp_path / name, HASH_API, "int crypto_hash();") for name in ("one", "two", "three", "four", "five")
    ]
    result = cyclometer("check", *names, *AS_HASH)
    assert "three is " in result.stderr
    assert "and 2 more folders" in result.stderr
    assert "five" not in result.stderr


AEAD_SLIPS = {  # in the right code: what is said
    "clen": ("*clen = mlen + 16;", "", "encrypt: answers 'refused': returns 0, but does not set *clen, here to 130"),
    "mlen": ("*mlen = clen - 16;", "", "decrypt: answers 'rejected': returns 0, but does not set *mlen, here to 114"),
    "long": ("*clen = mlen + 16;", "*clen = mlen + 17;", "returns 0, but sets *clen to 131 instead of 130"),
    "one": ("*clen = mlen + 16;", "*clen = mlen + 16; if (mlen) return 1;", "returns 1; 0 means success"),
}


def test_slips_in_lengths_and_results_are_named(cyclometer: CommandLine, tmp_path: Path) -> None:
    for name, (right, wrong, _) in AEAD_SLIPS.items():
        assert right in RIGHT, name
        folder(tmp_path / name, API, RIGHT.replace(right, wrong))
    result = cyclometer("check", *(f"./{name}" for name in AEAD_SLIPS), *AS_AEAD)
    for name, (_, _, reason) in AEAD_SLIPS.items():
        result.line("WRONG", f"{name} {name}", reason)


HASH_SLIPS = {
    "one": (sha_256(after="return 1;"), "answers 'refused': returns 1; 0 means success"),
    "before": (sha_256("out[-1] = 7;"), "writes outside hash: byte -1 of 32"),
    "once": (sha_256(after="if (inlen == 1337) out[31] ^= 1; return 0;"), "length 1337: "),
}


def test_slips_of_a_hash_function_are_named(cyclometer: CommandLine, tmp_path: Path) -> None:
    for name, (code, _) in HASH_SLIPS.items():
        folder(tmp_path / name, HASH_API, code)
    result = cyclometer("check", *(f"./{name}" for name in HASH_SLIPS), *AS_HASH)
    for name, (_, reason) in HASH_SLIPS.items():
        result.line("WRONG", f"{name} {name}", reason)


def test_a_header_of_the_folder_may_rename_the_function_and_have_the_size(
    cyclometer: CommandLine, tmp_path: Path
) -> None:
    mine = folder(tmp_path / "mine", "#define mine_BYTES 32\n", f'#include "hash.h"\n{sha_256()}')
    for size, verdict in ((32, "ok "), (20, "WRONG ")):
        header = f"#define CRYPTO_BYTES {size}\n#define crypto_hash mine_hash\n"
        (tmp_path / "mine/hash.h").write_text(header, encoding="utf-8")
        cyclometer("check", mine, *AS_HASH).line(verdict, "mine mine")


def test_a_source_with_another_ending_is_named(cyclometer: CommandLine, tmp_path: Path) -> None:
    mine = folder(tmp_path / "mine", f"{HASH_API}int crypto_hash(unsigned char *);\n", "", "hash.cxx")
    cyclometer("check", mine, *AS_HASH).line("has no source file", "hash.cxx is not taken for one")


def test_a_new_folder_for_key_pairs_says_where_random_bytes_come_from(cyclometer: CommandLine, tmp_path: Path) -> None:
    for operation, draws in (("crypto_sign/ml-dsa-44", True), ("crypto_hash", False)):
        replace(cyclometer, tree=REPOSITORY)("new", operation, operation[:9]).line("wrote")
        for name in ("api.h", "README.md"):
            assert ("randombytes()" in (tmp_path / operation[:9] / name).read_text(encoding="utf-8")) is draws
