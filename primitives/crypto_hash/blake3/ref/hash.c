/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* BLAKE3 in its default mode with 32 bytes of output: O'Connor, Aumasson,
 * Neves, Wilcox-O'Hearn, "BLAKE3: one function, fast everywhere" (2020),
 * section 2; the incremental tree of section 5.1. */
#include "crypto_hash.h"

#include "bytes.h"

#define BLOCK 64
#define CHUNK_BLOCKS 16

/* Table 3: flags. */
enum { CHUNK_START = 1, CHUNK_END = 2, PARENT = 4, ROOT = 8 };

/* Table 1: SHA-256's initialisation vector. */
static const uint32_t iv[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

/* Table 2. */
static const uint8_t permutation[16] = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};

#define G(a, b, c, d, x, y)       \
    do {                          \
        a += b + m[x];            \
        d = rotr32(d ^ a, 16);    \
        c += d;                   \
        b = rotr32(b ^ c, 12);    \
        a += b + m[y];            \
        d = rotr32(d ^ a, 8);     \
        c += d;                   \
        b = rotr32(b ^ c, 7);     \
    } while (0)

static void permute(uint32_t *m)
{
    uint32_t moved[16];
    for (unsigned i = 0; i < 16; i++) moved[i] = m[permutation[i]];
    memcpy(m, moved, sizeof moved);
}

/* The compression function, cut to its first 8 words (section 2.2). */
static void compress(uint32_t *cv, const uint8_t *block, uint64_t counter, uint32_t length, uint32_t flags)
{
    uint32_t v[16], m[16];
    for (unsigned i = 0; i < 16; i++) m[i] = load_le32(block + 4 * i);
    for (unsigned i = 0; i < 8; i++) v[i] = cv[i];
    for (unsigned i = 0; i < 4; i++) v[8 + i] = iv[i];
    v[12] = (uint32_t)counter, v[13] = (uint32_t)(counter >> 32), v[14] = length, v[15] = flags;
    for (unsigned round = 0; round < 7; round++) {
        if (round) permute(m);
        G(v[0], v[4], v[8], v[12], 0, 1);
        G(v[1], v[5], v[9], v[13], 2, 3);
        G(v[2], v[6], v[10], v[14], 4, 5);
        G(v[3], v[7], v[11], v[15], 6, 7);
        G(v[0], v[5], v[10], v[15], 8, 9);
        G(v[1], v[6], v[11], v[12], 10, 11);
        G(v[2], v[7], v[8], v[13], 12, 13);
        G(v[3], v[4], v[9], v[14], 14, 15);
    }
    for (unsigned i = 0; i < 8; i++) cv[i] = v[i] ^ v[i + 8];
}

/* right = the chaining value of the node over left and right. */
static void parent(uint32_t *right, const uint32_t *left, uint32_t flags)
{
    uint8_t block[BLOCK];
    for (unsigned i = 0; i < 8; i++) store_le32(block + 4 * i, left[i]);
    for (unsigned i = 0; i < 8; i++) store_le32(block + 32 + 4 * i, right[i]);
    memcpy(right, iv, sizeof iv);
    compress(right, block, 0, BLOCK, PARENT | flags);
}

static void chunk_start(crypto_hash_state *s)
{
    memcpy(s->cv, iv, sizeof iv);
    s->blocks = 0;
}

void crypto_hash_start(crypto_hash_state *s)
{
    chunk_start(s);
    s->chunk = 0;
    s->depth = s->held = 0;
}

/* A block that is not the message's last; the last of a chunk joins finished
 * subtrees of equal size, as carries do in a binary counter. */
static void add_block(crypto_hash_state *s, const uint8_t *block)
{
    const uint32_t first = s->blocks == 0 ? CHUNK_START : 0;
    if (s->blocks + 1 < CHUNK_BLOCKS) {
        compress(s->cv, block, s->chunk, BLOCK, first);
        s->blocks++;
        return;
    }
    compress(s->cv, block, s->chunk, BLOCK, CHUNK_END);
    s->chunk++;
    for (uint64_t carry = s->chunk; carry % 2 == 0; carry /= 2) parent(s->cv, s->stack[--s->depth], 0);
    memcpy(s->stack[s->depth++], s->cv, sizeof s->cv);
    chunk_start(s);
}

void crypto_hash_update(crypto_hash_state *s, const unsigned char *in, unsigned long long inlen)
{
    const uint64_t room = BLOCK - s->held;
    if (inlen > room) { /* the last block, even a full one, waits for the end */
        if (s->held) {
            memcpy(s->block + s->held, in, (size_t)room);
            add_block(s, s->block);
            s->held = 0;
            in += room, inlen -= room;
        }
        for (; inlen > BLOCK; in += BLOCK, inlen -= BLOCK) add_block(s, in);
    }
    if (inlen) memcpy(s->block + s->held, in, (size_t)inlen);
    s->held += (uint32_t)inlen;
}

void crypto_hash_end(crypto_hash_state *s, unsigned char *out)
{
    const uint32_t first = s->blocks == 0 ? CHUNK_START : 0;
    memset(s->block + s->held, 0, BLOCK - s->held);
    compress(s->cv, s->block, s->chunk, s->held, first | CHUNK_END | (s->depth ? 0 : ROOT));
    while (s->depth > 0) {
        s->depth--;
        parent(s->cv, s->stack[s->depth], s->depth ? 0 : ROOT);
    }
    for (unsigned i = 0; i < 8; i++) store_le32(out + 4 * i, s->cv[i]);
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    crypto_hash_state state;
    crypto_hash_start(&state);
    crypto_hash_update(&state, in, inlen);
    crypto_hash_end(&state, out);
    return 0;
}
