/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SHA2_SMALL_H
#define SHA2_SMALL_H

/* SHA-256 and SHA-1 (FIPS 180-4) for systems that hash a few blocks on the way:
 * short seeds and counters, not long messages.
 *
 *   struct hash h;
 *   sha256_init(&h); hash_update(&h, in, length); hash_final(&h, digest);
 *
 * and sha1_init likewise.  A copy of a struct hash is a hash that continues from
 * there: what several digests begin with is hashed once.  digest has room for
 * h.digest_bytes.  SMALL_HASH_NI, defined before, takes the CPU's SHA
 * instructions (needs = ["sha_ni", "sse4.1"]); without, portable C. */

#include <stdint.h>
#include <string.h>

#include "bytes.h"
#include "sha256_constants.h"

struct hash {
    uint32_t state[8];
    uint64_t length;
    unsigned digest_bytes; /* 32 or 20; says which function this is, too */
    uint8_t block[64];
};

#ifdef SMALL_HASH_NI
#include "sha2_small_ni.h"
#else

/* The names move on by one from round to round, instead of the values. */
#define SHA256_ROUND(a, b, c, d, e, f, g, h, kw)                               \
    h += (rotr32(e, 6) ^ rotr32(e, 11) ^ rotr32(e, 25)) + (g ^ (e & (f ^ g))) + (kw); \
    d += h;                                                                    \
    h += (rotr32(a, 2) ^ rotr32(a, 13) ^ rotr32(a, 22)) + ((a & b) | (c & (a | b)));

static inline void sha256_eight_rounds(uint32_t v[8], const uint32_t kw[8])
{
    uint32_t a = v[0], b = v[1], c = v[2], d = v[3];
    uint32_t e = v[4], f = v[5], g = v[6], h = v[7];

    SHA256_ROUND(a, b, c, d, e, f, g, h, kw[0])
    SHA256_ROUND(h, a, b, c, d, e, f, g, kw[1])
    SHA256_ROUND(g, h, a, b, c, d, e, f, kw[2])
    SHA256_ROUND(f, g, h, a, b, c, d, e, kw[3])
    SHA256_ROUND(e, f, g, h, a, b, c, d, kw[4])
    SHA256_ROUND(d, e, f, g, h, a, b, c, kw[5])
    SHA256_ROUND(c, d, e, f, g, h, a, b, kw[6])
    SHA256_ROUND(b, c, d, e, f, g, h, a, kw[7])
    v[0] = a, v[1] = b, v[2] = c, v[3] = d;
    v[4] = e, v[5] = f, v[6] = g, v[7] = h;
}

static void sha256_compress(uint32_t state[8], const uint8_t *in, uint64_t blocks)
{
    uint32_t w[64], v[8];

    for (; blocks > 0; blocks--, in += 64) {
        for (int i = 0; i < 16; i++) w[i] = load_be32(in + 4 * i);
        for (int i = 16; i < 64; i++) {
            uint32_t a = w[i - 15], b = w[i - 2];
            w[i] = w[i - 16] + (rotr32(a, 7) ^ rotr32(a, 18) ^ (a >> 3)) +
                   w[i - 7] + (rotr32(b, 17) ^ rotr32(b, 19) ^ (b >> 10));
        }
        for (int i = 0; i < 64; i++) w[i] += sha256_k[i];
        memcpy(v, state, sizeof v);
        for (int i = 0; i < 64; i += 8) sha256_eight_rounds(v, w + i);
        for (int i = 0; i < 8; i++) state[i] += v[i];
    }
}

static inline uint32_t sha1_choice(int quarter, uint32_t b, uint32_t c, uint32_t d)
{
    switch (quarter) {
    case 0: return (d ^ (b & (c ^ d))) + 0x5a827999;
    case 1: return (b ^ c ^ d) + 0x6ed9eba1;
    case 2: return ((b & c) | (d & (b | c))) + 0x8f1bbcdc;
    default: return (b ^ c ^ d) + 0xca62c1d6;
    }
}

static void sha1_compress(uint32_t state[8], const uint8_t *in, uint64_t blocks)
{
    uint32_t w[80];

    for (; blocks > 0; blocks--, in += 64) {
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3],
                 e = state[4];
        for (int i = 0; i < 16; i++) w[i] = load_be32(in + 4 * i);
        for (int i = 16; i < 80; i++)
            w[i] = rotl32(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
        for (int i = 0; i < 80; i++) {
            uint32_t t = rotl32(a, 5) + sha1_choice(i / 20, b, c, d) + e + w[i];
            e = d;
            d = c;
            c = rotl32(b, 30);
            b = a;
            a = t;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
    }
}

#endif

static inline void sha256_init(struct hash *h)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                      0xa54ff53a, 0x510e527f, 0x9b05688c,
                                      0x1f83d9ab, 0x5be0cd19};

    memcpy(h->state, start, sizeof start);
    h->length = 0;
    h->digest_bytes = 32;
}

static inline void sha1_init(struct hash *h)
{
    static const uint32_t start[8] = {0x67452301, 0xefcdab89, 0x98badcfe,
                                      0x10325476, 0xc3d2e1f0};

    memcpy(h->state, start, sizeof start);
    h->length = 0;
    h->digest_bytes = 20;
}

static inline void hash_blocks(struct hash *h, const uint8_t *in, uint64_t blocks)
{
    if (h->digest_bytes == 32)
        sha256_compress(h->state, in, blocks);
    else
        sha1_compress(h->state, in, blocks);
}

static inline void hash_update(struct hash *h, const void *bytes, uint64_t length)
{
    const uint8_t *in = (const uint8_t *)bytes; /* the cast for C++ */
    unsigned fill = (unsigned)(h->length % 64);

    h->length += length;
    if (fill + length < 64) {
        if (length > 0) memcpy(h->block + fill, in, length);
        return;
    }
    if (fill > 0) {
        memcpy(h->block + fill, in, 64 - fill);
        hash_blocks(h, h->block, 1);
        in += 64 - fill;
        length -= 64 - fill;
    }
    hash_blocks(h, in, length / 64);
    if (length % 64) memcpy(h->block, in + length / 64 * 64, length % 64);
}

static inline void hash_final(struct hash *h, uint8_t *digest)
{
    unsigned fill = (unsigned)(h->length % 64);

    h->block[fill++] = 0x80;
    if (fill > 56) {
        memset(h->block + fill, 0, 64 - fill);
        hash_blocks(h, h->block, 1);
        fill = 0;
    }
    memset(h->block + fill, 0, 56 - fill);
    store_be64(h->block + 56, 8 * h->length);
    hash_blocks(h, h->block, 1);
    for (unsigned i = 0; i < h->digest_bytes / 4; i++)
        store_be32(digest + 4 * i, h->state[i]);
}

static inline void sha256(uint8_t digest[32], const void *in, uint64_t length)
{
    struct hash h;

    sha256_init(&h);
    hash_update(&h, in, length);
    hash_final(&h, digest);
}

#endif
