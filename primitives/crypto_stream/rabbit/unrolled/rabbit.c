/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Rabbit in portable C for 64-bit machines: the counter is four additions with
 * carry, each g is one 32 x 32 -> 64 bit square, and the eight state words
 * stay in local variables (the paper, FSE 2003, section 4, implements alike). */

#include "crypto_stream.h"

#include "../../_rabbit/key.h"

static inline uint32_t g(uint32_t x, uint32_t c)
{
    uint64_t u = (uint32_t)(x + c);
    u *= u;
    return (uint32_t)(u ^ u >> 32);
}

static inline void next(crypto_stream_state *s)
{
    uint32_t *x = s->x;
    count(s->c, s->c, &s->b);
    uint32_t g0 = g(x[0], (uint32_t)s->c[0]), g1 = g(x[1], (uint32_t)(s->c[0] >> 32));
    uint32_t g2 = g(x[2], (uint32_t)s->c[1]), g3 = g(x[3], (uint32_t)(s->c[1] >> 32));
    uint32_t g4 = g(x[4], (uint32_t)s->c[2]), g5 = g(x[5], (uint32_t)(s->c[2] >> 32));
    uint32_t g6 = g(x[6], (uint32_t)s->c[3]), g7 = g(x[7], (uint32_t)(s->c[3] >> 32));
    x[0] = g0 + rotl32(g7, 16) + rotl32(g6, 16);
    x[1] = g1 + rotl32(g0, 8) + g7;
    x[2] = g2 + rotl32(g1, 16) + rotl32(g0, 16);
    x[3] = g3 + rotl32(g2, 8) + g1;
    x[4] = g4 + rotl32(g3, 16) + rotl32(g2, 16);
    x[5] = g5 + rotl32(g4, 8) + g3;
    x[6] = g6 + rotl32(g5, 16) + rotl32(g4, 16);
    x[7] = g7 + rotl32(g6, 8) + g5;
}

static inline void block(crypto_stream_state *s, uint8_t *out, const uint8_t *in)
{
    const uint32_t *x = s->x;
    next(s);
    uint32_t z[4] = { x[0] ^ x[5] >> 16 ^ x[3] << 16, x[2] ^ x[7] >> 16 ^ x[5] << 16,
                      x[4] ^ x[1] >> 16 ^ x[7] << 16, x[6] ^ x[3] >> 16 ^ x[1] << 16 };
    for (int m = 0; m < 4; m++) store_le32(out + 4 * m, load_le32(in + 4 * m) ^ z[m]);
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    crypto_stream_state s;
    load_key(s.x, s.c, key);
    s.b = 0;
    for (int n = 0; n < 4; n++) next(&s);
    for (int m = 0; m < 4; m++)
        s.c[m] ^= s.x[(2 * m + 4) & 7] | (uint64_t)s.x[(2 * m + 5) & 7] << 32;
    *expanded = s;
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    static const uint8_t zero[16];
    uint64_t even, odd;
    crypto_stream_state s = *expanded;
    (void)soon;
    load_nonce(&even, &odd, nonce);
    for (int m = 0; m < 4; m++) s.c[m] ^= m & 1 ? odd : even;
    for (int n = 0; n < 4; n++) next(&s);
    block(&s, first, zero);
    *state = s;
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    crypto_stream_state s = *state;
    for (; length >= 16; length -= 16, out += 16, in += 16) block(&s, out, in);
    if (length > 0) {
        uint8_t pad[16] = { 0 };
        block(&s, pad, pad);
        xor_bytes(out, in, pad, length);
    }
}
