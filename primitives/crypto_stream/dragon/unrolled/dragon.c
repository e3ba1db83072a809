/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* Dragon with 256-bit key and IV, 16 rounds unrolled.  Idea: the register is a
 * circular buffer of 32 words that moves by two words a round, so after 16
 * rounds every word is back in its place; unrolled that far, all indices are
 * constants and nothing is ever moved.  The critical path from round to round is
 * a -> b: two S-boxes, so their five-fold exclusive ors are grouped by the time
 * at which the operands arrive.
 *
 * The first 16 keystream bytes are rounds 14 and 15 of a turn, so that
 * crypto_stream_xor always begins with round 0. */

#include "crypto_stream.h"

#include "../../_dragon/dragon.h"
#include "bytes.h"

/* y ^ four table words: bytes 0 and 3 of x are one instruction away, bytes 1 and
 * 2 two.  The empty statements keep the compiler from regrouping; the 64-bit
 * shift keeps gcc 12 from holding indices in AVX-512 mask registers. */
#define MIXIN(name, p, q, r, s)                                                \
    static inline uint32_t name(uint32_t y, uint32_t x)                        \
    {                                                                          \
        uint32_t middle = dragon_##q[x >> 8 & 255] ^ dragon_##r[x >> 16 & 255];\
        __asm__("" : "+r"(middle));                                            \
        y ^= dragon_##p[x & 255];                                              \
        y ^= dragon_##s[(uint64_t)x >> 24];                                    \
        __asm__("" : "+r"(y));                                                 \
        return y ^ middle;                                                     \
    }
MIXIN(g1, s2, s1, s1, s1)
MIXIN(g2, s1, s2, s1, s1)
MIXIN(g3, s1, s1, s2, s1)
MIXIN(h1, s1, s2, s2, s2)
MIXIN(h2, s2, s1, s2, s2)
MIXIN(h3, s2, s2, s1, s2)

#define UPDATE(a, b, c, d, e, f)                                               \
    do {                                                                       \
        b ^= a; d ^= c; f ^= e;                                                \
        c += b; e += d; a += f;                                                \
        d = g1(d, a); f = g2(f, c); b = g3(b, e);                              \
        a = h1(a, b); c = h2(c, d); e = h3(e, f);                              \
        f += c; b += e; d += a;                                                \
        a ^= f; c ^= b; e ^= d;                                                \
    } while (0)

/* Word B[i] of the specification in round r stands in b[AT(i, r)]. */
#define AT(i, r) (((i) + 64 - 2 * (r)) & 31)

/* Round r; leaves a and e to be output.  The new B[0] and B[1] overwrite the
 * words that fall off the end. */
#define ROUND(r)                                                               \
    uint32_t a = w[AT(0, r)], b = w[AT(9, r)], c = w[AT(16, r)];               \
    uint32_t d = w[AT(19, r)];                                                 \
    uint32_t e = w[AT(30, r)] ^ (uint32_t)(m >> 32);                           \
    uint32_t f = w[AT(31, r)] ^ (uint32_t)m;                                   \
    UPDATE(a, b, c, d, e, f);                                                  \
    m++;                                                                       \
    w[AT(30, r)] = b;                                                          \
    w[AT(31, r)] = c;

/* Step i of the initialisation; the register moves by four words. */
#define MIX(i)                                                                 \
    do {                                                                       \
        const int s = 60 - 4 * (i);                                            \
        uint32_t a = w[s & 31] ^ w[(s + 24) & 31] ^ w[(s + 28) & 31];          \
        uint32_t b = w[(s + 1) & 31] ^ w[(s + 25) & 31] ^ w[(s + 29) & 31];    \
        uint32_t c = w[(s + 2) & 31] ^ w[(s + 26) & 31] ^ w[(s + 30) & 31];    \
        uint32_t d = w[(s + 3) & 31] ^ w[(s + 27) & 31] ^ w[(s + 31) & 31];    \
        UPDATE(a, b, c, d, e, f);                                              \
        w[(s + 28) & 31] = a ^ w[(s + 16) & 31];                               \
        w[(s + 29) & 31] = b ^ w[(s + 17) & 31];                               \
        w[(s + 30) & 31] = c ^ w[(s + 18) & 31];                               \
        w[(s + 31) & 31] = d ^ w[(s + 19) & 31];                               \
    } while (0)

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    for (int i = 0; i < 8; i++) expanded->k[i] = load_be32(key + 4 * i);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    uint32_t w[32], e = DRAGON_E, f = DRAGON_F;
    uint64_t m;
    (void)soon;
    for (int i = 0; i < 8; i++) { /* B[i] at w[(i + 4) & 31]: AT(i, 14) */
        uint32_t k = expanded->k[i], v = load_be32(nonce + 4 * i);
        w[i + 4] = k;
        w[i + 12] = k ^ v;
        w[i + 20] = ~(k ^ v);
        w[(i + 28) & 31] = v;
    }
    for (int turn = 0; turn < 2; turn++) {
        MIX(14); MIX(15); MIX(16); MIX(17); MIX(18); MIX(19); MIX(20); MIX(21);
    }
    m = (uint64_t)e << 32 | f;
    {
        ROUND(14)
        store_be32(first, a);
        store_be32(first + 4, e);
    }
    {
        ROUND(15)
        store_be32(first + 8, a);
        store_be32(first + 12, e);
    }
    memcpy(state->b, w, sizeof w);
    state->m = m;
}

/* The pad is collected first: inside the rounds every register is needed. */
#define STEP(r)                                                                \
    do {                                                                       \
        ROUND(r)                                                               \
        store_be32(pad + 8 * (r), a);                                          \
        store_be32(pad + 8 * (r) + 4, e);                                      \
        if (length <= 8 * (r) + 8) goto last;                                  \
    } while (0)

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint32_t w[32];
    uint64_t m = state->m;
    uint8_t pad[128];
    if (length == 0) return;
    memcpy(w, state->b, sizeof w); /* which cannot be what out points to */
    for (;;) {
        STEP(0); STEP(1); STEP(2); STEP(3); STEP(4); STEP(5); STEP(6); STEP(7);
        STEP(8); STEP(9); STEP(10); STEP(11); STEP(12); STEP(13); STEP(14);
        STEP(15);
        xor_bytes(out, in, pad, 128);
        out += 128;
        in += 128;
        length -= 128;
    }
last:
    xor_bytes(out, in, pad, length);
}
