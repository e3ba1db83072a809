# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pairs as a user names them, checked against Python's `cryptography` and `hashlib`."""

from __future__ import annotations

import hmac
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.cmac import CMAC

from support.command_line import CommandLine
from support.reference_implementations import chacha20, poly1305
from support.small_tree import SmallTree

Sealed = tuple[bytes, bytes]  # tag, ciphertext
Seal = Callable[[bytes, bytes, bytes, bytes], Sealed]  # key, nonce, ad, plaintext

SHAPES = [(0, 0), (1, 0), (15, 1), (16, 16), (31, 8), (64, 64), (65, 13), (1500, 20), (3000, 0)]


@pytest.fixture(scope="module")
def cyclometer(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> CommandLine:
    base = tmp_path_factory.mktemp("pairs")
    tree = SmallTree.grow(
        base / "tree",
        *("crypto_stream/chacha20/ref", "crypto_blockcipher/aes/ref", "crypto_cipher/aes-ctr"),
        *("crypto_onetimeauth/poly1305/ref", "crypto_auth/cmac-aes-128"),
        *("crypto_hash/sha-256/ref", "crypto_auth/hmac-sha-256"),
    )
    return CommandLine(tree=tree.root, cache=build_cache, results=base / "results")


def xor(text: bytes, keystream: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(text, keystream, strict=False))


def counter_mode(key: bytes, nonce: bytes, length: int) -> bytes:
    """Generate the keystream of AES-CTR from counter 0 on, behind a nonce of 12 bytes."""
    return Cipher(algorithms.AES(key), modes.CTR(nonce + bytes(4))).encryptor().update(bytes(length))


def bits(ad: bytes) -> bytes:
    return (8 * len(ad)).to_bytes(8, "big")


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 16)


Keystream = Callable[[bytes, bytes, int], bytes]


def with_hmac(keystream: Keystream) -> Seal:
    def seal(key: bytes, nonce: bytes, ad: bytes, text: bytes) -> Sealed:
        c = xor(text, keystream(key[32:], nonce, len(text)))
        return hmac.digest(key[:32], ad + nonce + c + bits(ad), "sha256"), c

    return seal


def with_cmac(keystream: Keystream) -> Seal:
    def seal(key: bytes, nonce: bytes, ad: bytes, text: bytes) -> Sealed:
        c = xor(text, keystream(key[16:], nonce, len(text)))
        mac = CMAC(algorithms.AES(key[:16]))
        mac.update(ad + nonce + c + bits(ad))
        return mac.finalize(), c

    return seal


def with_pad(keystream: Keystream) -> Seal:
    """(s, c) = F_k(n) xor (0, m), tag = Poly1305_r(c, s); there is no associated data."""

    def seal(key: bytes, nonce: bytes, ad: bytes, text: bytes) -> Sealed:
        stream = keystream(key[16:], nonce, 16 + len(text))
        c = xor(text, stream[16:])
        return poly1305(key[:16], stream[:16], c), c

    return seal


def with_one_time_key(keystream: Keystream) -> Seal:
    """RFC 8439, section 2.8, but the text begins at byte 32 of the keystream."""

    def seal(key: bytes, nonce: bytes, ad: bytes, text: bytes) -> Sealed:
        stream = keystream(key, nonce, 32 + len(text))
        c = xor(text, stream[32:])
        lengths = len(ad).to_bytes(8, "little") + len(c).to_bytes(8, "little")
        return poly1305(stream[:16], stream[16:32], padded(ad) + padded(c) + lengths), c

    return seal


# name: key bytes, independent computation
INDEPENDENT: dict[str, tuple[int, Seal]] = {
    "chacha20+hmac-sha-256": (64, with_hmac(chacha20)),
    "aes-ctr+hmac-sha-256": (48, with_hmac(counter_mode)),
    "chacha20+cmac-aes-128": (48, with_cmac(chacha20)),
    "chacha20+poly1305": (48, with_pad(chacha20)),
    "aes-ctr+poly1305": (32, with_pad(counter_mode)),
    "chacha20+poly1305-onetime": (32, with_one_time_key(chacha20)),
    "aes-ctr+poly1305-onetime": (16, with_one_time_key(counter_mode)),
}


def vectors(name: str, key_bytes: int, seal: Seal) -> list[dict[str, object]]:
    """Make valid packets, and forgeries with a flipped bit of tag, ciphertext or associated data."""
    rng = random.Random(1)
    result: list[dict[str, object]] = []
    for length, ad_length in SHAPES:
        key, nonce, text = rng.randbytes(key_bytes), rng.randbytes(12), rng.randbytes(length)
        ad = b"" if name.endswith("+poly1305") else rng.randbytes(ad_length)
        tag, c = seal(key, nonce, ad, text)
        fields = {"key": key, "nonce": nonce, "ad": ad, "plaintext": text, "ciphertext": c, "tag": tag}
        result.append({field: value.hex() for field, value in fields.items()})
        for field in ("tag", "ciphertext", "ad"):
            if fields[field]:
                forged = bytes([fields[field][0] ^ 1]) + fields[field][1:]
                result.append({**{f: v.hex() for f, v in fields.items()}, field: forged.hex(), "valid": False})
    return result


@pytest.mark.parametrize("name", sorted(INDEPENDENT))
def test_an_independent_computation_agrees(name: str, cyclometer: CommandLine, tmp_path: Path) -> None:
    content = {
        "format": "cyclometer-vectors/1",
        "operation": "crypto_aead",
        "system": name,
        "encoding": "hex",
        "source": "computed by this test",
        "vectors": vectors(name, *INDEPENDENT[name]),
    }
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps(content))
    result = cyclometer("check", name, "--vectors", str(file))
    assert result.status == 0, result.stdout + result.stderr
    assert result.line("ok", f"crypto_aead {name}")


def test_a_wrong_vector_of_a_pair_fails(cyclometer: CommandLine, tmp_path: Path) -> None:
    name = "chacha20+hmac-sha-256"
    wrong = vectors(name, *INDEPENDENT["chacha20+hmac-sha-256"])[:1]
    wrong[0]["tag"] = "00" * 32
    content = {"operation": "crypto_aead", "system": name, "encoding": "hex", "source": "s", "vectors": wrong}
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps({"format": "cyclometer-vectors/1", **content}))
    assert cyclometer("check", name, "--vectors", str(file)).status == 1


def test_pairs_are_measured_compared_and_ranked_like_any_system(cyclometer: CommandLine) -> None:
    names = ("chacha20+hmac-sha-256", "aes-ctr+poly1305-onetime")
    run = cyclometer("run", *names, "--length", "40", "--ad", "0,8", "--rounds", "2")
    assert run.status == 0, run.stderr
    assert all(name in cyclometer("table", "*+*", "--by", "ad").stdout for name in names)
    compared = cyclometer("compare", *names, "--stored", "--format", "json")
    assert compared.status == 0, compared.stderr


def test_a_cipher_with_no_such_authenticator_is_named(cyclometer: CommandLine) -> None:
    result = cyclometer("run", "chacha20+hmac-sha1")
    assert result.status == 2
    assert result.stderr.strip() == (
        "cyclometer: unknown pair 'chacha20+hmac-sha1'; did you mean 'chacha20+hmac-sha-256'?"
    )
