# SPDX-License-Identifier: MIT OR Apache-2.0
"""A synthetic tree in eSTREAM's layout."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

from support.foreign_tree import ForeignTree

SIZES = """
#include "ecrypt-portable.h"
#define ECRYPT_NAME "Toy"
#define ECRYPT_MAXKEYSIZE 256             /* [edit] */
#define ECRYPT_KEYSIZE(i) (64 + (i)*64)   /* [edit] */
#define ECRYPT_MAXIVSIZE 64
#define ECRYPT_IVSIZE(i) (32 + (i)*32)
#define ECRYPT_MAXVARIANT 2
void ECRYPT_init(void);
"""
SYNC = f"""
#ifndef ECRYPT_SYNC
#define ECRYPT_SYNC
{SIZES}
typedef struct {{ u64 key, state; u32 at; }} ECRYPT_ctx;
void ECRYPT_keysetup(ECRYPT_ctx *ctx, const u8 *key, u32 keysize, u32 ivsize);
void ECRYPT_ivsetup(ECRYPT_ctx *ctx, const u8 *iv);
#define ECRYPT_GENERATES_KEYSTREAM
void ECRYPT_encrypt_bytes(ECRYPT_ctx *ctx, const u8 *plaintext, u8 *ciphertext, u32 msglen);
#define ECRYPT_BLOCKLENGTH 8
#define ECRYPT_encrypt_blocks(ctx, plaintext, ciphertext, blocks) \\
  ECRYPT_encrypt_bytes(ctx, plaintext, ciphertext, (blocks) * ECRYPT_BLOCKLENGTH)
#endif
"""
TOY = """
#include "ecrypt-sync.h"
#define PRIME U64C(0x100000001b3)
void ECRYPT_init(void) { }
void ECRYPT_keysetup(ECRYPT_ctx *ctx, const u8 *key, u32 keysize, u32 ivsize)
{
    ctx->key = U64C(0xcbf29ce484222325);
    for (u32 i = 0; i < keysize / 8; i++) ctx->key = (ctx->key ^ key[i]) * PRIME;
    ctx->at = ivsize / 8;
}
void ECRYPT_ivsetup(ECRYPT_ctx *ctx, const u8 *iv)
{
    ctx->state = ctx->key;
    for (u32 i = 0; i < ctx->at; i++) ctx->state = (ctx->state ^ iv[i]) * PRIME;
}
void ECRYPT_encrypt_bytes(ECRYPT_ctx *ctx, const u8 *plaintext, u8 *ciphertext, u32 msglen)
{
    for (u32 i = 0; i < msglen; i++) {
        ctx->state = ROTL64(ctx->state, 5) * PRIME + ECRYPT_VARIANT / ECRYPT_VARIANT;
        ciphertext[i] = plaintext[i] ^ (u8)(ctx->state >> 56);
    }
}
"""
AE = f"""
#ifndef ECRYPT_SYNC_AE
#define ECRYPT_SYNC_AE
{SIZES}
#define ECRYPT_MAXMACSIZE 128
#define ECRYPT_MACSIZE(i) (64 + (i)*64)
#define ECRYPT_SUPPORTS_AAD
typedef struct {{ u64 key, state, sums[2]; u32 ivsize; }} ECRYPT_AE_ctx;
void ECRYPT_AE_keysetup(ECRYPT_AE_ctx *ctx, const u8 *key, u32 keysize, u32 ivsize, u32 macsize);
void ECRYPT_AE_ivsetup(ECRYPT_AE_ctx *ctx, const u8 *iv);
void ECRYPT_AE_authenticate_bytes(ECRYPT_AE_ctx *ctx, const u8 *aad, u32 aadlen);
void ECRYPT_AE_encrypt_bytes(ECRYPT_AE_ctx *ctx, const u8 *plaintext, u8 *ciphertext, u32 msglen);
void ECRYPT_AE_decrypt_bytes(ECRYPT_AE_ctx *ctx, const u8 *ciphertext, u8 *plaintext, u32 msglen);
void ECRYPT_AE_finalize(ECRYPT_AE_ctx *ctx, u8 *mac);
#endif
"""
AE_TOY = """
#include "ecrypt-sync-ae.h"
#define PRIME U64C(0x100000001b3)
static void absorb(u64 *state, const u8 *in, u32 length)
{
    for (u32 i = 0; i < length; i++) *state = (*state ^ in[i]) * PRIME;
}
static void authenticate(ECRYPT_AE_ctx *ctx, u8 byte)
{
    for (int i = 0; i < 2; i++) ctx->sums[i] = ROTL64((ctx->sums[i] ^ byte) * (PRIME + 16 * i), 7);
}
void ECRYPT_init(void) { }
void ECRYPT_AE_keysetup(ECRYPT_AE_ctx *ctx, const u8 *key, u32 keysize, u32 ivsize, u32 macsize)
{
    ctx->key = U64C(0xcbf29ce484222325);
    absorb(&ctx->key, key, keysize / 8);
    ctx->ivsize = ivsize;
}
void ECRYPT_AE_ivsetup(ECRYPT_AE_ctx *ctx, const u8 *iv)
{
    ctx->state = ctx->key;
    absorb(&ctx->state, iv, ctx->ivsize / 8);
    ctx->sums[0] = ctx->state, ctx->sums[1] = ~ctx->state;
}
void ECRYPT_AE_authenticate_bytes(ECRYPT_AE_ctx *ctx, const u8 *aad, u32 aadlen)
{
    for (u32 i = 0; i < aadlen; i++) authenticate(ctx, aad[i]);
    for (u32 i = 0; i < 4; i++) authenticate(ctx, (u8)(aadlen >> 8 * i));
}
static u8 next(ECRYPT_AE_ctx *ctx)
{
    ctx->state = ROTL64(ctx->state, 5) * PRIME + 1;
    return (u8)(ctx->state >> 56);
}
void ECRYPT_AE_encrypt_bytes(ECRYPT_AE_ctx *ctx, const u8 *plaintext, u8 *ciphertext, u32 msglen)
{
    for (u32 i = 0; i < msglen; i++) authenticate(ctx, plaintext[i]), ciphertext[i] = plaintext[i] ^ next(ctx);
    authenticate(ctx, (u8)msglen);
}
void ECRYPT_AE_decrypt_bytes(ECRYPT_AE_ctx *ctx, const u8 *ciphertext, u8 *plaintext, u32 msglen)
{
    for (u32 i = 0; i < msglen; i++) plaintext[i] = ciphertext[i] ^ next(ctx), authenticate(ctx, plaintext[i]);
    authenticate(ctx, (u8)msglen);
}
void ECRYPT_AE_finalize(ECRYPT_AE_ctx *ctx, u8 *mac)
{
    for (int i = 0; i < 16; i++) authenticate(ctx, 0), mac[i] = (u8)(ctx->sums[i % 2] >> 56);
}
"""


def toy_stream(key: bytes, iv: bytes, length: int) -> bytes:
    state, out = 0xCBF29CE484222325, bytearray()
    for byte in key + iv:
        state = (state ^ byte) * 0x100000001B3 % (1 << 64)
    for _ in range(length):
        state = ((state << 5 | state >> 59) * 0x100000001B3 + 1) % (1 << 64)
        out.append(state >> 56)
    return bytes(out)


def field(name: str, data: bytes) -> str:
    pieces = [data[i : i + 16].hex().upper() for i in range(0, len(data), 16)]
    return f"{name:>28} = " + f"\n{' ' * 31}".join(pieces) + "\n"


def toy_vectors(key_bits: int, wrong: bool = False) -> str:
    """Format three vectors of set 3 as the test program of the project prints them."""
    text = "\nPrimitive Name: Toy\n===================\nProfile: S3___\n"
    text += f"Key size: {key_bits} bits\nIV size: 64 bits\n\n"
    text += "Test vectors -- set 3\n=====================\n\n"
    for v in (0, 9, 18):
        key, iv = bytes((i + v) % 256 for i in range(key_bits // 8)), bytes(8)
        stream = toy_stream(key, iv, 512)
        pieces = [stream[i : i + 64] for i in range(0, 512, 64)]
        digest = reduce(lambda x, y: bytes(a ^ b for a, b in zip(x, y, strict=True)), pieces)
        text += f"Set 3, vector#{v:3}:\n{field('key', key)}{field('IV', iv)}"
        for at in (0, 192, 256, 448):
            text += field(f"stream[{at}..{at + 63}]", stream[at : at + 64])
        text += field("xor-digest", bytes(64) if wrong and v == 18 else digest) + "\n"
    return text


def grow(root: Path, wrong: bool = False) -> Path:
    """Write submissions/toy, submissions/seal/ref with its own authenticator, and unusable folders."""
    tree = ForeignTree(root)
    tree.write("submissions/toy/ecrypt-sync.h", SYNC)
    tree.write("submissions/toy/toy.c", TOY)
    tree.write("submissions/toy/test.c", "#error a program\nint main(void) { return 0; }\n")
    vectors = toy_vectors(128, wrong) + toy_vectors(256) + "\n\nEnd of test vectors\n"
    tree.write("submissions/toy/unverified.test-vectors", vectors)
    tree.write("submissions/seal/ref/ecrypt-sync-ae.h", AE)
    tree.write("submissions/seal/ref/seal.c", AE_TOY)
    tree.write("submissions/odd/ecrypt-sync.h", SYNC.replace("(64 + (i)*64)", "sizeof(long)"))
    return root
