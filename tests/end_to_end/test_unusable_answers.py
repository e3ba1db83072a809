# SPDX-License-Identifier: MIT OR Apache-2.0
"""Published answers of foreign trees that cannot be used: each is named, and nothing waits for it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from support import estream_tree, nist_tree, pqclean_tree
from support.command_line import CommandLine
from support.known_answers import toy_records

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)

Damage = Callable[[Path], object]


def pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def link(target: str) -> Damage:
    def replace(path: Path) -> None:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        path.symlink_to(target)

    return replace


def content(text: str) -> Damage:
    return lambda path: path.write_text(text, encoding="utf-8")


def nist_hash(root: Path) -> Path:
    return nist_tree.grow_hash(root)


def nist_kem(root: Path) -> Path:
    return nist_tree.grow_kem(root, toy_records(3))


def estream(root: Path) -> Path:
    estream_tree.grow(root)
    for other in ("seal", "odd"):
        shutil.rmtree(root / "submissions" / other)
    return root


def pqclean(root: Path) -> Path:
    return pqclean_tree.grow(root)


HASHES, RESPONSES = "crypto_hash/fnv/LWC_HASH_KAT_64.txt", "KAT/toy32/PQCkemKAT_32.rsp"
RECORD = "# Toy\n\ncount = 0\nseed = {seed}\npk = 1\nsk = 2\nct = 3\nss = 4\n"
SYNC = "submissions/toy/ecrypt-sync.h"
META, MAKEFILE = "crypto_kem/toy-1/META.yml", "crypto_kem/toy-1/clean/Makefile"
LEFT_OUT = [
    (nist_hash, HASHES, pipe, "is not a regular file"),
    (nist_hash, HASHES, folder, "is not a regular file"),
    (nist_hash, HASHES, link("/dev/zero"), "is a link that leads out of the tree"),
    (nist_kem, RESPONSES, pipe, "is not a regular file"),
    (nist_kem, "Reference_Implementation/toy32/Makefile", pipe, "is not a regular file"),
    (nist_kem, "KAT", link("/"), "is a link that leads out of the tree"),
    (nist_kem, RESPONSES, content(RECORD.format(seed="z" * 96)), "needs a decimal count, a hexadecimal msg"),
    (nist_kem, RESPONSES, content(RECORD.format(seed="00" * 49)), "and 96 digits as seed"),
    (estream, SYNC, pipe, "crypto_stream toy variant1: submissions/toy/ecrypt-sync.h is not a regular file"),
    (pqclean, META, content("a: [\n"), "META.yml of toy-1 is not YAML in line 2"),
    (pqclean, META, content("- a\n"), "is not a mapping of keys to values"),
    (pqclean, MAKEFILE, pipe, "is not a regular file"),
]


@pytest.mark.parametrize(("grow", "name", "damage", "reason"), LEFT_OUT)
def test_what_cannot_be_read_is_named_and_its_implementations_are_left_out(
    grow: Callable[[Path], Path], name: str, damage: Damage, reason: str, tmp_path: Path, cyclometer: CommandLine
) -> None:
    root = grow(tmp_path / "tree")
    damage(root / name)
    result = cyclometer("check", root, "--compiler", "gcc-O2")
    assert result.status != 0
    assert Path(name).name in result.stdout + result.stderr
    assert reason in result.stdout + result.stderr
    assert "ok " not in result.stdout


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "LWC_HASH_KAT_64.txt: has no records"),
        ("Count = 1\nMsg = " + "00" * 200_000, "has a line of more than 262,144 characters"),
        ("Count = " + "9" * 5000 + "\nMsg =\nMD = 00\n", f"vector {'9' * 60}... of LWC_HASH_KAT_64.txt"),
    ],
)
def test_known_answers_that_confirm_nothing_are_a_failure(
    text: str, reason: str, tmp_path: Path, cyclometer: CommandLine
) -> None:
    root = nist_hash(tmp_path / "lwc")
    content(text)(root / HASHES)
    result = cyclometer("check", root, "--compiler", "gcc-O2")
    assert result.status == 1
    assert reason in result.line("WRONG", "fnv ref")


def test_an_empty_file_of_responses_is_no_published_result(tmp_path: Path, cyclometer: CommandLine) -> None:
    root = nist_tree.grow_kem(tmp_path / "pqc", "")
    result = cyclometer("check", root, "--compiler", "gcc-O2")
    assert result.line("note", "crypto_kem/toy32: no published result to compare with")


LABEL = "Set 1, vector#  0:\n  key = 00112233445566778899AABBCCDDEEFF\n  IV = 0011223344556677\n"


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        (f"Key size: 128 bits\nIV size: 64 bits\n{LABEL}  stream[0..3] =\n", 1, "has not as many bytes as it says"),
        (f"Key size: 8 bits\nIV size: 64 bits\n{LABEL}  stream[0..3] = 00000000\n", 0, "no published result"),
    ],
    ids=["a part without bytes", "other sizes"],
)
def test_estream_vectors_that_compare_nothing_do_not_confirm(
    text: str, status: int, said: str, tmp_path: Path, cyclometer: CommandLine
) -> None:
    tree = estream_tree.grow(tmp_path / "estream")
    for file in tree.rglob("*.test-vectors"):
        file.unlink()
    content(text)(tree / "submissions" / "toy" / "toy.test-vectors")
    result = cyclometer("check", "--tree", tree, "crypto_stream", "--compiler", "gcc-O2")
    assert result.status == status, result.stdout + result.stderr
    assert said in result.stdout


def test_an_api_may_begin_with_a_byte_order_mark(tmp_path: Path, cyclometer: CommandLine) -> None:
    root = nist_hash(tmp_path / "lwc")
    content("\ufeff#define CRYPTO_BYTES 8\n")(root / "crypto_hash/fnv/ref/api.h")
    result = cyclometer("check", root, "--compiler", "gcc-O2")
    assert result.line("ok", "fnv ref")


def test_a_compiler_that_reads_a_device_says_so(tmp_path: Path, cyclometer: CommandLine) -> None:
    root = nist_hash(tmp_path / "lwc")
    content(f'#include "/dev/zero"\n{nist_tree.HASH}')(root / "crypto_hash/fnv/ref/hash.c")
    result = cyclometer("check", root, "--compiler", "gcc-O2")
    assert "out of memory" in result.stdout
    assert result.line("ok", "fnv plain")
