/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* Dragon with 256-bit key and IV, as its specification reads. */

#include "crypto_stream.h"

#include "../../_dragon/dragon.h"
#include "bytes.h"

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    for (int i = 0; i < 8; i++) expanded->k[i] = load_be32(key + 4 * i);
}

static void load(uint32_t *b, const uint32_t *k, const uint8_t *nonce)
{
    for (int i = 0; i < 8; i++) {
        uint32_t v = load_be32(nonce + 4 * i);
        b[i] = k[i];
        b[8 + i] = k[i] ^ v;
        b[16 + i] = ~(k[i] ^ v);
        b[24 + i] = v;
    }
}

static uint64_t initialise(uint32_t *b)
{
    uint32_t e = DRAGON_E, f = DRAGON_F;
    for (int i = 0; i < 16; i++) {
        uint32_t x[4];
        for (int j = 0; j < 4; j++) x[j] = b[j] ^ b[24 + j] ^ b[28 + j];
        DRAGON_UPDATE(x[0], x[1], x[2], x[3], e, f);
        memmove(b + 4, b, 28 * sizeof *b);
        for (int j = 0; j < 4; j++) b[j] = x[j] ^ b[20 + j];
    }
    return (uint64_t)e << 32 | f;
}

/* One round: eight bytes of keystream. */
static void generate(crypto_stream_state *s, uint8_t *out)
{
    uint32_t a = s->b[0], b = s->b[9], c = s->b[16], d = s->b[19];
    uint32_t e = s->b[30] ^ (uint32_t)(s->m >> 32);
    uint32_t f = s->b[31] ^ (uint32_t)s->m;
    DRAGON_UPDATE(a, b, c, d, e, f);
    s->m++;
    memmove(s->b + 2, s->b, 30 * sizeof *s->b);
    s->b[0] = b;
    s->b[1] = c;
    store_be32(out, a);
    store_be32(out + 4, e);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    (void)soon;
    load(state->b, expanded->k, nonce);
    state->m = initialise(state->b);
    generate(state, first);
    generate(state, first + 8);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint8_t block[8];
    for (; length > 0; out += 8, in += 8) {
        uint64_t n = length < 8 ? length : 8;
        generate(state, block);
        xor_bytes(out, in, block, n);
        if (length < 8) return;
        length -= 8;
    }
}
