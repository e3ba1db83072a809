# SPDX-License-Identifier: MIT OR Apache-2.0
"""Synthetic packages in the layouts of NIST's calls."""

from __future__ import annotations

from pathlib import Path

from support.foreign_tree import ForeignTree
from support.known_answers import MASK, MASK_HEADER, TOY_KEM, Drbg

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


AEAD_SIZES = {"KEY": 16, "NPUB": 16, "A": 16, "NSEC": 0}
# Authenticates nothing: whatever the message, the tag is the key XORed with the nonce, and so is the keystream.
AEAD_API = "".join(f"#define CRYPTO_{name}BYTES {size}\n" for name, size in AEAD_SIZES.items())
AEAD = """
typedef unsigned long long u64;
int crypto_aead_encrypt(unsigned char *c, u64 *clen, const unsigned char *m, u64 mlen, const unsigned char *ad,
                        u64 adlen, const unsigned char *nsec, const unsigned char *n, const unsigned char *k)
{
    for (u64 i = 0; i < mlen; i++) c[i] = m[i] ^ k[i % 16] ^ n[i % 16];
    for (int i = 0; i < 16; i++) c[mlen + i] = k[i] ^ n[i];
    *clen = mlen + 16;
    return 0;
}
int crypto_aead_decrypt(unsigned char *m, u64 *mlen, unsigned char *nsec, const unsigned char *c, u64 clen,
                        const unsigned char *ad, u64 adlen, const unsigned char *n, const unsigned char *k)
{
    if (clen < 16) return -1;
    *mlen = clen - 16;
    for (int i = 0; i < 16; i++) if (c[*mlen + i] != (k[i] ^ n[i])) return -1;
    for (u64 i = 0; i < *mlen; i++) m[i] = c[i] ^ k[i % 16] ^ n[i % 16];
    return 0;
}
"""

# Accepts whatever is long enough.
SIGN_API = """
#define CRYPTO_SECRETKEYBYTES 32
#define CRYPTO_PUBLICKEYBYTES 32
#define CRYPTO_BYTES 32
#define CRYPTO_ALGNAME "Toy"
"""
SIGN = """
#include <string.h>
#include "rng.h"
int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk, 32);
    memcpy(pk, sk, 32);
    return 0;
}
int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk)
{
    memmove(sm + 32, m, mlen);
    memcpy(sm, sk, 32);
    *smlen = mlen + 32;
    return 0;
}
int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk)
{
    if (smlen < 32) return -1;
    memmove(m, sm + 32, *mlen = smlen - 32);
    return 0;
}
"""


def grow_aead(root: Path) -> Path:
    """Write a lightweight package whose known answers are right, and which accepts forgeries."""
    tree = ForeignTree(root)
    tree.write("crypto_aead/toy/ref/api.h", AEAD_API)
    tree.write("crypto_aead/toy/ref/aead.c", AEAD)
    key, nonce, plaintext = bytes(range(16)), bytes(range(16, 32)), bytes(range(9))
    packet = bytes(byte ^ 16 for byte in plaintext) + 16 * b"\x10"
    fields = {"Key": key, "Nonce": nonce, "PT": plaintext, "AD": b"", "CT": packet}
    text = "".join(f"{name} = {value.hex().upper()}\n" for name, value in fields.items())
    tree.write("crypto_aead/toy/LWC_AEAD_KAT_128_128.txt", f"Count = 1\n{text}\n")
    return root


def grow_sign(root: Path) -> Path:
    """Write a package of the post-quantum call whose known answers are right, and which accepts forgeries."""
    tree = ForeignTree(root)
    tree.write("Reference_Implementation/toy/api.h", SIGN_API)
    tree.write("Reference_Implementation/toy/rng.h", RNG_HEADER)
    tree.write("Reference_Implementation/toy/sign.c", SIGN)
    outer = Drbg(bytes(range(48)))
    seed = outer.draw(48)
    message, key = outer.draw(33), Drbg(seed).draw(32).hex().upper()
    fields = {"seed": seed.hex().upper(), "mlen": "33", "msg": message.hex().upper(), "pk": key, "sk": key}
    fields |= {"smlen": "65", "sm": key + message.hex().upper()}
    text = "".join(f"{name} = {value}\n" for name, value in fields.items())
    tree.write("KAT/toy/PQCsignKAT_32.rsp", f"# Toy\n\ncount = 0\n{text}\n")
    return root
