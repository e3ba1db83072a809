# SPDX-License-Identifier: MIT OR Apache-2.0
"""Synthetic packages in the layouts of NIST's calls."""

from __future__ import annotations

from pathlib import Path

from support.foreign_tree import ForeignTree
from support.known_answers import MASK, MASK_HEADER, TOY_KEM

# FNV-1a with 64 bits
HASH = """
#include "api.h"
#include "crypto_hash.h"
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    unsigned long long state = 0xcbf29ce484222325;
    for (unsigned long long i = 0; i < inlen; i++) state = (state ^ in[i]) * 0x100000001b3;
    for (int i = 0; i < CRYPTO_BYTES; i++) out[i] = (unsigned char)(state >> (56 - 8 * i));
    return 0;
}
"""
PLAIN_HEADER = "int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen);\n"
GENERATOR = '#error "not part of the implementation"\nint main(void) { return 0; }\n'


def fnv(message: bytes) -> str:
    state = 0xCBF29CE484222325
    for byte in message:
        state = (state ^ byte) * 0x100000001B3 % (1 << 64)
    return f"{state:016X}"


def grow_hash(root: Path, change: str = "") -> Path:
    """Write crypto_hash/fnv/{ref,plain}, one with SUPERCOP's header, one with its own."""
    tree = ForeignTree(root)
    for name in ("ref", "plain"):
        tree.write(f"crypto_hash/fnv/{name}/api.h", "#define CRYPTO_BYTES 8\n")
        tree.write(f"crypto_hash/fnv/{name}/hash.c", HASH)
        tree.write(f"crypto_hash/fnv/{name}/genkat_hash.c", GENERATOR)
    tree.write("crypto_hash/fnv/plain/crypto_hash.h", PLAIN_HEADER)
    text = ""
    for count, message in enumerate((bytes(range(n)) for n in range(9)), 1):
        text += f"Count = {count}\nMsg = {message.hex().upper()}\nMD = {fnv(message)}\n\n"
    tree.write("crypto_hash/fnv/LWC_HASH_KAT_64.txt", text.replace(change, "0" * 16) if change else text)
    return root


KEM_API = """
#define CRYPTO_SECRETKEYBYTES 32
#define CRYPTO_PUBLICKEYBYTES 32
#define CRYPTO_CIPHERTEXTBYTES 32
#define CRYPTO_BYTES (CRYPTO_SECRETKEYBYTES / 1)
#define CRYPTO_ALGNAME "Toy"
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk);
"""
RNG_HEADER = "int randombytes(unsigned char *x, unsigned long long xlen);\n"


def grow_kem(root: Path, records: str) -> Path:
    """Write a package of the post-quantum call."""
    tree = ForeignTree(root)
    home = "Reference_Implementation/toy32"
    tree.write(f"{home}/api.h", KEM_API)
    tree.write(f"{home}/rng.h", RNG_HEADER)
    tree.write(f"{home}/rng.c", "#error the harness gives random bytes\n")
    tree.write(f"{home}/PQCgenKAT_kem.c", GENERATOR)
    tree.write(f"{home}/kem.c", TOY_KEM.replace("@", "crypto_kem_").replace("<randombytes.h>", '"rng.h"'))
    tree.write(f"{home}/mask.h", MASK_HEADER)
    tree.write(f"{home}/mask.c", MASK)
    tree.write("KAT/other/PQCkemKAT_32.rsp", "# Another\n\ncount = 0\n")
    tree.write("KAT/toy32/PQCkemKAT_32.rsp", f"# Toy\n\n{records}")
    return root
