# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reference implementations: the `cryptography` package, and Python's integers."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305

Vector = dict[str, Any]
LENGTHS = [*range(0, 70), 255, 256, 257, 576, 1023, 1024, 1025, 1500, 4095, 4097, 8192]


def poly1305(key: bytes, pad: bytes, message: bytes) -> bytes:
    """Authenticate a message; r is clamped, s (the pad) is added (Bernstein, FSE 2005, section 2)."""
    r, h = int.from_bytes(key, "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF, 0
    for i in range(0, len(message), 16):
        h = (h + int.from_bytes(message[i : i + 16] + b"\1", "little")) * r % (2**130 - 5)
    return ((h + int.from_bytes(pad, "little")) % 2**128).to_bytes(16, "little")


def chacha20(key: bytes, nonce: bytes, length: int) -> bytes:
    """Generate the keystream from block 0 on."""
    cipher = Cipher(algorithms.ChaCha20(key, bytes(4) + nonce), mode=None)
    return cipher.encryptor().update(bytes(length))


def aes_ctr(key: bytes, nonce: bytes, length: int) -> bytes:
    """Generate the keystream of counter mode; the first four nonce bytes are a little-endian counter."""
    first = int.from_bytes(nonce[:4], "little")
    counters = ((first + i) % 2**32 for i in range(-(-length // 16)))
    blocks = b"".join(counter.to_bytes(4, "little") + nonce[4:] for counter in counters)
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(blocks)[:length]


def stream_vectors(keystream: Callable[[bytes, bytes, int], bytes], key_bytes: int, nonce_bytes: int) -> list[Vector]:
    """Make a vector per length with random keys and nonces."""
    rng = random.Random(1)
    vectors = []
    for length in LENGTHS:
        key, nonce = rng.randbytes(key_bytes), rng.randbytes(nonce_bytes)
        vectors.append(
            {
                "key": key.hex(),
                "nonce": nonce.hex(),
                "length": length,
                "keystream": keystream(key, nonce, length).hex(),
            }
        )
    return vectors


def poly1305_vectors() -> list[Vector]:
    """Make random vectors, vectors of ones, which carry most often, and edge cases of the reduction."""
    rng = random.Random(2)
    ones = [(b"\xff" * 16, b"\xff" * 16, b"\xff" * length) for length in LENGTHS]
    some = [(rng.randbytes(16), rng.randbytes(16), rng.randbytes(length)) for length in LENGTHS]
    # h + s exceeds 2^128, and h is just above p before the last reduction
    edge = [
        (b"\2" + bytes(15), b"\xff" * 16, b"\2" + bytes(15)),
        (b"\1" + bytes(15), bytes(16), b"\xfb" + b"\xff" * 15),
    ]
    return [
        {"key": key.hex(), "pad": pad.hex(), "message": message.hex(), "tag": poly1305(key, pad, message).hex()}
        for key, pad, message in [*ones, *some, *edge]
    ]


def aead_vectors(kind: type[AESGCM | ChaCha20Poly1305], key_bytes: int) -> list[Vector]:
    """Make a vector per length with random keys, nonces, plaintexts and associated data."""
    rng = random.Random(3)
    vectors = []
    for length in LENGTHS:
        key, nonce, plaintext = rng.randbytes(key_bytes), rng.randbytes(12), rng.randbytes(length)
        ad = rng.randbytes(rng.randrange(80))
        packet = kind(key).encrypt(nonce, plaintext, ad)
        vectors.append(
            {
                "key": key.hex(),
                "nonce": nonce.hex(),
                "ad": ad.hex(),
                "plaintext": plaintext.hex(),
                "ciphertext": packet[:-16].hex(),
                "tag": packet[-16:].hex(),
            }
        )
    return vectors


VECTORS: dict[str, Callable[[], list[Vector]]] = {
    "crypto_onetimeauth/poly1305": poly1305_vectors,
    "crypto_stream/chacha20": lambda: stream_vectors(chacha20, 32, 12),
    "crypto_stream/aes-128-ctr": lambda: stream_vectors(aes_ctr, 16, 16),
    "crypto_stream/aes-256-ctr": lambda: stream_vectors(aes_ctr, 32, 16),
    "crypto_aead/aes-128-gcm": lambda: aead_vectors(AESGCM, 16),
    "crypto_aead/aes-256-gcm": lambda: aead_vectors(AESGCM, 32),
    "crypto_aead/chacha20-poly1305": lambda: aead_vectors(ChaCha20Poly1305, 32),
}
