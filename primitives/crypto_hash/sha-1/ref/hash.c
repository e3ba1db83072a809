/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SHA-1: FIPS 180-4, sections 4.1.1, 4.2.1, 5.3.1, 6.1. */
#include "crypto_hash.h"

#include "bytes.h"

#define HASH_WORD uint32_t
#define HASH_STORE store_be32
#define HASH_BLOCK 64
#define HASH_LENGTH 8

static const uint32_t hash_start_value[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

#define CH(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define PARITY(x, y, z) ((x) ^ (y) ^ (z))
#define MAJ(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))

/* One round; its caller renames the words instead of moving them. */
#define ROUND(a, b, c, d, e, f, i)                          \
    do {                                                    \
        e += rotl32(a, 5) + f(b, c, d) + constant + w[t + (i)]; \
        b = rotl32(b, 30);                                  \
    } while (0)

/* Twenty rounds that share a function and a constant. */
#define TWENTY(first, f, value)                    \
    for (unsigned t = first; t < first + 20; t += 5) { \
        const uint32_t constant = value;           \
        ROUND(a, b, c, d, e, f, 0);                \
        ROUND(e, a, b, c, d, f, 1);                \
        ROUND(d, e, a, b, c, f, 2);                \
        ROUND(c, d, e, a, b, f, 3);                \
        ROUND(b, c, d, e, a, f, 4);                \
    }

static void hash_block(uint32_t *s, const uint8_t *in)
{
    uint32_t w[80];
    uint32_t a = s[0], b = s[1], c = s[2], d = s[3], e = s[4];
    for (unsigned t = 0; t < 16; t++) w[t] = load_be32(in + 4 * t);
    for (unsigned t = 16; t < 80; t++) w[t] = rotl32(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    TWENTY(0, CH, 0x5a827999)
    TWENTY(20, PARITY, 0x6ed9eba1)
    TWENTY(40, MAJ, 0x8f1bbcdc)
    TWENTY(60, PARITY, 0xca62c1d6)
    s[0] += a, s[1] += b, s[2] += c, s[3] += d, s[4] += e;
}

static void hash_blocks(uint32_t *s, const uint8_t *in, uint64_t blocks)
{
    for (; blocks > 0; blocks--, in += HASH_BLOCK) hash_block(s, in);
}

#include "../../_merkle-damgard/merkle_damgard.h"
