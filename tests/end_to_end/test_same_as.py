# SPDX-License-Identifier: MIT OR Apache-2.0
"""A folder that computes the same as a system of ours (`--as`) is held to what that one does, in its own layout."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from support.command_line import CommandLine
from support.packets_of_rfc_8439 import API, RIGHT, STREAM_API, STREAM_THAT_DIFFERS, WITHOUT_THE_LAST_REDUCTION
from support.small_tree import REPOSITORY, SmallTree

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)

AEAD = ("--as", "crypto_aead/chacha20-poly1305", "--compiler", "gcc-O2")
HASH = ("--as", "crypto_hash/sha-256", "--compiler", "gcc-O2")

# RFC 8439, section 2.8.2: the packet is the ciphertext and then the tag.
PACKET_OF_THE_RFC = {
    "id": "section 2.8.2",
    "key": "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
    "nonce": "070000004041424344454647",
    "ad": "50515253c0c1c2c3c4c5c6c7",
    "plaintext": (
        "4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f66202739393a204966204920636f756c64"
        "206f6666657220796f75206f6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73637265656e20776f"
        "756c642062652069742e"
    ),
    "packet": (
        "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a"
        "9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9d"
        "e576d26586cec64b6116"
        "1ae10b594f09e26a7e902ecbd0600691"
    ),
}


@pytest.fixture
def tree(tmp_path: Path) -> SmallTree:
    return SmallTree.grow(tmp_path / "tree", "crypto_aead/chacha20-poly1305/ref", "crypto_hash/sha-256/ref")


def folder(at: Path, api: str, code: str) -> str:
    at.mkdir()
    (at / "api.h").write_text(api, encoding="utf-8")
    (at / "code.c").write_text(code, encoding="utf-8")
    return f"./{at.name}"


def sha_256(change: str) -> str:
    """Return the SHA-256 of docs/your-code.md, with something before its first line."""
    text = (REPOSITORY / "docs" / "your-code.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```c\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    start = re.compile(r"(int crypto_hash\([^{]*\{)")
    return "#include <stdlib.h>\n" + start.sub(lambda match: f"{match[1]} {change}", code)


def test_a_packet_whose_tag_is_last_is_compared_with_ours(cyclometer: CommandLine, tmp_path: Path) -> None:
    mine = folder(tmp_path / "mine", API, RIGHT)
    published = {"format": "cyclometer-vectors/1", "operation": "crypto_aead", "system": "mine"}
    vectors = json.dumps({**published, "vectors": [PACKET_OF_THE_RFC]})
    (tmp_path / "mine" / "vectors.json").write_text(vectors, encoding="utf-8")
    cyclometer("check", mine, *AEAD).line("ok ", "mine mine")
    run = cyclometer("run", mine, *AEAD, "--implementation", "mine", "--length", "64", "--rounds", "1")
    assert "does not compute what" not in run.stdout + run.stderr  # ours repeats its timed calls
    ours = ("chacha20-poly1305", "--implementation", "ref", "--compiler", "gcc-O2")
    cyclometer("check", *ours, "--vectors", "mine/vectors.json").line("ok ", "ref")
    (tmp_path / "mine" / "vectors.json").write_text(vectors.replace("1ae10b59", "1ae10b58"), encoding="utf-8")
    wrong = cyclometer("check", *ours, "--vectors", "mine/vectors.json")
    wrong.line("WRONG", "section 2.8.2", "seal: packet differs at byte 117")


KEEPS_A_KEY = "static unsigned char kept[32]; if (memcmp(kept, k, 31)) memcpy(kept, k, 32); k = kept;"
CARELESS = {  # a change of the right code, and what is said of it even where it is no system of ours
    "bit": ("load(k + 4 * i)", "load(k + 4 * i) << (i == 7)", "bit 7 of key byte 31 changed: returns the same packet"),
    "near": (
        "(void)nsec;\n    chacha",
        f"{KEEPS_A_KEY} chacha",
        "bit 0 of key byte 31 changed: takes it for the key before",
    ),
    "key": ("if (difference)", "if (difference && memcmp(c + clen - 16, k, 16))", "the key as tag: accepts a forgery"),
    "data": (
        "absorb(&p, ad, adlen);",
        "absorb(&p, ad, adlen - (adlen == 255));",
        "ad 255, the last byte of it changed",
    ),
    "length": ("*mlen = clen - 16;", "*(unsigned *)mlen = (unsigned)(clen - 16);", "rejects its own packet"),
}


def test_an_executable_may_be_larger_than_a_file_of_vectors(cyclometer: CommandLine, tmp_path: Path) -> None:
    folder_of_hash = tmp_path / "theirs" / "crypto_hash" / "sha256"
    folder_of_hash.mkdir(parents=True)
    large = "volatile char table[65 << 20] = {1};\n"
    for name, code in {"good": sha_256(""), "large": large + sha_256("")}.items():
        folder(folder_of_hash / name, "#define CRYPTO_BYTES 32\n", code)
    result = cyclometer("check", "--tree", "./theirs", "--compiler", "gcc-O2")
    for name in ("good", "large"):
        result.line("ok ", f"sha256 {name}")


def test_careless_packets_are_found_without_ours(cyclometer: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "careless").mkdir()
    for name, (right, wrong, _) in CARELESS.items():
        folder(tmp_path / "careless" / name, API, RIGHT.replace(right, wrong))
    result = cyclometer("check", "./careless", "--compiler", "gcc-O2")
    for name, (_, _, reason) in CARELESS.items():
        result.line("WRONG", f"careless {name} ", reason)


def test_an_api_may_include_its_sizes_and_code_may_not_stop_opening_its_packets(
    cyclometer: CommandLine, tmp_path: Path
) -> None:
    right = folder(tmp_path / "mine", '#include "sizes.h"\n', RIGHT)
    (tmp_path / "mine" / "sizes.h").write_text(API, encoding="utf-8")
    cyclometer("check", right, *AEAD).line("ok ", "mine mine")
    count = "static int calls; if (++calls > 3000) c[mlen] ^= 1;\n    *clen ="
    tired = folder(tmp_path / "tired", API, RIGHT.replace("*clen =", count))
    cyclometer("check", tired, *AEAD).line("WRONG", "crypto_aead tired")  # which call is the 3000th depends on time


def test_a_sum_that_is_not_reduced_at_the_end_is_found(cyclometer: CommandLine, tmp_path: Path) -> None:
    """Random packets show it once in 2^125."""
    mine = folder(tmp_path / "mine", API, WITHOUT_THE_LAST_REDUCTION)
    cyclometer("check", mine, *AEAD).line("WRONG", "accumulator 2^130 - 5 of vectors-reduction.json")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            "static const unsigned char *p; static unsigned char first, before[32];"
            "if (p == in && inlen == 700 && first == in[0]) { memcpy(out, before, 32); return 0; }"
            "if (inlen == 700) crypto_hash(before, in, 699), p = in, first = in[0];",
            "length 700",
        ),
        ("if (inlen == 700) abort();", "length 700: aborts (SIGABRT)"),
        ("if (inlen == 700) return 1;", "length 700: returns an error"),
        ("if (inlen == 700) out = *(unsigned char **)(in + 700);", "length 700: reads outside message: byte 7"),
    ],
)
def test_right_vectors_excuse_nothing_that_ours_does_not_do(
    change: str, reason: str, cyclometer: CommandLine, tmp_path: Path
) -> None:
    mine = folder(tmp_path / "mine", "#define CRYPTO_BYTES 32\n", sha_256(change))
    cyclometer("check", mine, *HASH).line("WRONG", reason)


def test_code_that_hangs_for_some_length_is_wrong(cyclometer: CommandLine, tmp_path: Path) -> None:
    """On a core that others use as well, the time limit comes first."""
    code = sha_256('while (inlen == 700) __asm__ volatile("");')
    mine = folder(tmp_path / "mine", "#define CRYPTO_BYTES 32\n", code)
    line = cyclometer("check", mine, *HASH, "--time-limit", "8").line("WRONG", "mine")
    assert "length 700: does not return" in line or "--time-limit gives it more" in line


def test_both_functions_of_a_stream_cipher_are_compared_at_every_length(
    cyclometer: CommandLine, tmp_path: Path
) -> None:
    cyclometer = replace(cyclometer, tree=REPOSITORY)
    mine = folder(tmp_path / "mine", STREAM_API, STREAM_THAT_DIFFERS)
    checked = cyclometer("check", mine, "--as", "crypto_stream/chacha20", "--compiler", "gcc-O2")
    checked.line("WRONG", "length 333: xor uses a different keystream")
    aborts = STREAM_THAT_DIFFERS.replace("if (length == 333) out[0] ^= 1;", "if (length == 333) __builtin_abort();")
    folder(tmp_path / "other", STREAM_API, aborts)
    checked = cyclometer("check", "./other", "--as", "crypto_stream/chacha20", "--compiler", "gcc-O2")
    checked.line("WRONG", "length 333: aborts (SIGABRT)")


def test_a_folder_whose_name_is_not_utf_8_is_checked(cyclometer: CommandLine, tmp_path: Path) -> None:
    name = os.fsdecode(b"mine-\xff")
    folder(tmp_path / name, "#define CRYPTO_BYTES 32\n", sha_256(""))
    cyclometer("check", f"./{name}", *HASH).line("ok ", "mine-")
