# SPDX-License-Identifier: MIT OR Apache-2.0
"""A synthetic tree in PQClean's layout."""

from __future__ import annotations

import hashlib
from pathlib import Path

from support.foreign_tree import ForeignTree
from support.known_answers import MASK, MASK_HEADER, TOY_KEM, toy_records

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


# Insecure, because the public key signs, too; otherwise it has the properties of a signature.
SIGNATURE = """
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <randombytes.h>
static void tag(uint8_t *t, const uint8_t *pk, const uint8_t *n, const uint8_t *m, size_t mlen)
{
    uint64_t x = mlen, y = ~mlen;
    for (size_t i = 0; i < 24 + mlen; i++) {
        const uint8_t b = i < 16 ? pk[i] : i < 24 ? n[i - 16] : m[i - 24];
        x = (x ^ b) * 0x9ddfea08eb382d69u, x ^= x >> 29;
        y = (y + b + 1) * 0xc2b2ae3d27d4eb4fu, y ^= y >> 31;
    }
    for (int i = 0; i < 8; i++) t[i] = (uint8_t)(x >> 8 * i), t[8 + i] = (uint8_t)(y >> 8 * i);
}
int @_keypair(uint8_t *pk, uint8_t *sk)
{
    randombytes(pk, 16);
    memcpy(sk, pk, 16);
    return 0;
}
int @_signature(uint8_t *sig, size_t *siglen, const uint8_t *m, size_t mlen, const uint8_t *sk)
{
    randombytes(sig + 16, 8);
    tag(sig, sk, sig + 16, m, mlen);
    *siglen = 24;
    return 0;
}
static int right(const uint8_t *sig, const uint8_t *m, size_t mlen, const uint8_t *pk)
{
    uint8_t t[16];
    tag(t, pk, sig + 16, m, mlen);
    return !memcmp(t, sig, 16);
}
int @_verify(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen, const uint8_t *pk)
{
    return siglen == 24 && right(sig, m, mlen, pk) ? 0 : -1;
}
int @(uint8_t *sm, size_t *smlen, const uint8_t *m, size_t mlen, const uint8_t *sk)
{
    memmove(sm + 24, m, mlen);
    @_signature(sm, smlen, sm + 24, mlen, sk);
    *smlen += mlen;
    return 0;
}
int @_open(uint8_t *m, size_t *mlen, const uint8_t *sm, size_t smlen, const uint8_t *pk)
{
    if (smlen < 24 || !right(sm, sm + 24, smlen - 24, pk)) return -1;
    memmove(m, sm + 24, *mlen = smlen - 24);
    return 0;
}
"""


def grow_signatures(root: Path, sources: dict[str, str]) -> Path:
    """Write implementations of one signature scheme, by their names; nothing is published."""
    tree = ForeignTree(root)
    tree.write("crypto_sign/toy-1/META.yml", "name: Toy\n")
    for name, source in sources.items():
        space = f"PQCLEAN_TOY1_{name.upper()}_"
        sizes = {"SECRETKEYBYTES": 16, "PUBLICKEYBYTES": 16, "BYTES": 24}
        api = "".join(f"#define {space}CRYPTO_{size} {value}\n" for size, value in sizes.items())
        tree.write(f"crypto_sign/toy-1/{name}/api.h", api)
        tree.write(f"crypto_sign/toy-1/{name}/sign.c", source.replace("@", f"{space}crypto_sign"))
    return root


def grow(root: Path, digest: str = RIGHT, source: str = TOY_KEM) -> Path:
    """Write one scheme with a portable implementation and one that runs nowhere."""
    tree = ForeignTree(root)
    tree.write("crypto_kem/toy-1/META.yml", META.format(digest=digest))
    for name in ("clean", "elsewhere"):
        space = f"PQCLEAN_TOY1_{name.upper()}_"
        sizes = ("SECRETKEYBYTES", "PUBLICKEYBYTES", "CIPHERTEXTBYTES", "BYTES")
        tree.write(f"crypto_kem/toy-1/{name}/api.h", "".join(f"#define {space}CRYPTO_{size} 32\n" for size in sizes))
        tree.write(f"crypto_kem/toy-1/{name}/kem.c", source.replace("@", f"{space}crypto_kem_"))
    tree.write("common/mask.h", MASK_HEADER)
    tree.write("common/mask.c", MASK)
    tree.write("common/unused.c", "#error nobody includes its header\n")
    return root
