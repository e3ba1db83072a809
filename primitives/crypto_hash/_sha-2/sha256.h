/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SHA-224 and SHA-256: FIPS 180-4, sections 4.1.2, 4.2.2, 6.2.  The constants are the first
 * 32 bits of the fractional parts of the cube roots of the first 64 primes. */
#include "bytes.h"

#define HASH_WORD uint32_t
#define HASH_STORE store_be32
#define HASH_BLOCK 64
#define HASH_LENGTH 8

static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#define ROTR(x, n) rotr32(x, n)
#define BIG0(x) (ROTR(x, 2) ^ ROTR(x, 13) ^ ROTR(x, 22))
#define BIG1(x) (ROTR(x, 6) ^ ROTR(x, 11) ^ ROTR(x, 25))
#define SMALL0(x) (ROTR(x, 7) ^ ROTR(x, 18) ^ ((x) >> 3))
#define SMALL1(x) (ROTR(x, 17) ^ ROTR(x, 19) ^ ((x) >> 10))
#define CH(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define MAJ(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))

/* One round; its caller renames the words instead of moving them. */
#define ROUND(a, b, c, d, e, f, g, h, i)                        \
    do {                                                        \
        h += BIG1(e) + CH(e, f, g) + k[t + (i)] + w[(t + (i)) % 16]; \
        d += h;                                                 \
        h += BIG0(a) + MAJ(a, b, c);                            \
    } while (0)

/* The next 16 words of the message schedule in place of the former. */
static inline void next_words(uint32_t *w)
{
    for (unsigned i = 0; i < 16; i++)
        w[i] += SMALL1(w[(i + 14) % 16]) + w[(i + 9) % 16] + SMALL0(w[(i + 1) % 16]);
}

static void hash_block(uint32_t *s, const uint8_t *in)
{
    uint32_t w[16];
    uint32_t a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
    for (unsigned i = 0; i < 16; i++) w[i] = load_be32(in + sizeof w[0] * i);
    for (unsigned t = 0; t < 64; t += 8) {
        if (t && t % 16 == 0) next_words(w);
        ROUND(a, b, c, d, e, f, g, h, 0);
        ROUND(h, a, b, c, d, e, f, g, 1);
        ROUND(g, h, a, b, c, d, e, f, 2);
        ROUND(f, g, h, a, b, c, d, e, 3);
        ROUND(e, f, g, h, a, b, c, d, 4);
        ROUND(d, e, f, g, h, a, b, c, 5);
        ROUND(c, d, e, f, g, h, a, b, 6);
        ROUND(b, c, d, e, f, g, h, a, 7);
    }
    s[0] += a, s[1] += b, s[2] += c, s[3] += d, s[4] += e, s[5] += f, s[6] += g, s[7] += h;
}

static void hash_blocks(uint32_t *s, const uint8_t *in, uint64_t blocks)
{
    for (; blocks > 0; blocks--, in += HASH_BLOCK) hash_block(s, in);
}
