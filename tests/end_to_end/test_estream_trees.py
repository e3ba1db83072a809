# SPDX-License-Identifier: MIT OR Apache-2.0
"""A synthetic tree in eSTREAM's layout: variants, sizes, test vectors, and packets with our authenticator."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from support.command_line import CommandLine
from support.estream_tree import AE, AE_TOY, SYNC, TOY, grow
from support.foreign_tree import ForeignTree

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)


def test_the_tree_is_listed(tmp_path: Path, cyclometer: CommandLine) -> None:
    result = cyclometer("run", "--tree", grow(tmp_path / "estream"), "--list")
    assert result.status == 0, result.stderr
    for name in ("crypto_stream toy variant2", "crypto_aead toy-poly1305 variant1", "crypto_aead seal-ref variant1"):
        assert result.line(name) == name
    assert "the sizes in its header cannot be read" in result.line("odd variant1")


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        (">> 56);", ">> 56), ctx->state += plaintext[i];", "keystream differs"),
        ("ctx->state ^ iv[i]", "ctx->state ^ 1", "the nonce has no influence"),
        ("ctx->at = ivsize / 8;", "ctx->at = ivsize / 8; ctx[2].key = 0;", "outside"),
        ("ctx->key ^ key[i]", "ctx->key ^ (key[i] & 0xfe)", "bit 0 of key byte 0 changed: returns the same keystream"),
    ],
)
def test_a_stream_without_its_own_keystream_is_a_failure(
    right: str, wrong: str, reason: str, tmp_path: Path, cyclometer: CommandLine
) -> None:
    tree = ForeignTree(tmp_path / "bad")
    tree.write("ecrypt-sync.h", SYNC)
    tree.write("bad.c", TOY.replace(right, wrong))
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    assert result.status == 1
    assert reason in result.line("WRONG", "crypto_stream bad variant1")


# What is encrypted only, as in many trees, is followed by the rest of the API, each function wrong at one length.
REST = """
#define ECRYPT_GENERATES_KEYSTREAM
void ECRYPT_keystream_bytes(ECRYPT_ctx *ctx, u8 *keystream, u32 length)
{
    for (u32 i = 0; i < length; i++) keystream[i] = 0;
    ECRYPT_encrypt_bytes(ctx, keystream, keystream, length);
    if (length == WRONG_KEYSTREAM) keystream[14] ^= 1;
}
void ECRYPT_decrypt_bytes(ECRYPT_ctx *ctx, const u8 *ciphertext, u8 *plaintext, u32 msglen)
{
    ECRYPT_encrypt_bytes(ctx, ciphertext, plaintext, msglen);
    if (msglen == WRONG_BYTES) plaintext[575] ^= 1;
}
void ECRYPT_decrypt_blocks(ECRYPT_ctx *ctx, const u8 *ciphertext, u8 *plaintext, u32 blocks)
{
    ECRYPT_encrypt_bytes(ctx, ciphertext, plaintext, 8 * blocks - (blocks == WRONG_BLOCKS));
}
"""


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("", ""),
        ("KEYSTREAM 15", "decryption: length 15: ECRYPT_keystream_bytes is not the keystream"),
        ("BYTES 576", "decryption: length 576: ECRYPT_decrypt_bytes does not decrypt"),
        ("BLOCKS 3", "decryption: 3 blocks: ECRYPT_decrypt_blocks does not decrypt"),
    ],
)
def test_what_is_not_measured_is_checked_too(wrong: str, reason: str, tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(tmp_path / "rest")
    functions = ("KEYSTREAM", "BYTES", "BLOCKS")
    right = "".join(f"#define WRONG_{name} 0\n" for name in functions if not wrong.startswith(name))
    tree.write("ecrypt-sync.h", SYNC.replace("MAXVARIANT 2", "MAXVARIANT 1"))
    tree.write("rest.c", TOY + right + (f"#define WRONG_{wrong}\n" if wrong else "") + REST)
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    assert result.line("WRONG" if wrong else "ok ", "crypto_stream rest variant1", reason)


def test_a_cipher_is_compared_with_the_stream_cipher_of_ours_that_it_is_said_to_be(
    tmp_path: Path, cyclometer: CommandLine
) -> None:
    tree = ForeignTree(tmp_path / "toy")
    tree.write("ecrypt-sync.h", SYNC)
    tree.write("toy.c", TOY)
    as_salsa20 = ("--as", "crypto_stream/salsa20", "--compiler", "gcc-O2")
    cyclometer("check", tree.root, *as_salsa20).complains("has key_bytes 16, but crypto_stream/salsa20 has 32")
    sizes = SYNC.replace("64 + (i)*64", "256 + (i)*64").replace("32 + (i)*32", "64 + (i)*32")
    tree.write("ecrypt-sync.h", sizes.replace("MAXVARIANT 2", "MAXVARIANT 1"))
    result = cyclometer("check", tree.root, *as_salsa20)
    assert result.line("WRONG", "crypto_stream toy variant1", "vectors")


def test_a_cipher_may_authenticate_packets_alone(tmp_path: Path, cyclometer: CommandLine) -> None:
    """Its header does not say that it supports associated data, and its packets are checked without any."""
    tree = ForeignTree(tmp_path / "seal")
    header = AE.replace("#define ECRYPT_SUPPORTS_AAD", "").replace("MAXVARIANT 2", "MAXVARIANT 1")
    tree.write("ecrypt-sync-ae.h", header)
    tree.write("seal.c", AE_TOY)
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    assert result.status == 0, result.stdout + result.stderr
    assert result.line("ok", "crypto_aead seal variant1")


@pytest.mark.parametrize("part", ["", "submissions/toy"])
def test_variants_pass_the_test_vectors(part: str, tmp_path: Path, cyclometer: CommandLine) -> None:
    result = cyclometer("check", grow(tmp_path / "estream") / part, "--compiler", "gcc-O2", "--verbose")
    assert result.status == 0, result.stdout + result.stderr
    for number in (1, 2):
        assert result.line("ok", f"crypto_stream toy variant{number}")
        assert result.line("ok", f"crypto_aead toy-poly1305 variant{number}")
    assert bool(part) or result.line("ok", "crypto_aead seal-ref variant1")


def test_a_wrong_test_vector_is_a_failure(tmp_path: Path, cyclometer: CommandLine) -> None:
    folder = grow(tmp_path / "estream", wrong=True) / "submissions/toy"
    result = cyclometer("check", "--tree", folder, "toy", "--compiler", "gcc-O2")
    assert result.status == 1
    assert "128-64 set 3 vector 18" in result.line("WRONG", "toy variant1")
    assert "the XOR digest of keystream differs" in result.line("WRONG", "toy variant1")


def test_packets_of_a_stream_are_measured(tmp_path: Path, cyclometer: CommandLine) -> None:
    folder = grow(tmp_path / "estream") / "submissions/toy"
    result = cyclometer("run", "--tree", folder, "toy-poly1305", "--compiler", "gcc-O2", "--rounds", "1", "--no-tables")
    assert result.status == 0, result.stdout + result.stderr
