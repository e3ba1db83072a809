/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Rabbit word by word, as in RFC 4503, section 2.  The expanded key is the
 * master state of section 2.3. */

#include "crypto_stream.h"

#include "bytes.h"

static void next(crypto_stream_state *s)
{
    static const uint32_t A[3] = { 0x4D34D34D, 0xD34D34D3, 0x34D34D34 };
    uint32_t g[8];
    for (int j = 0; j < 8; j++) {
        uint64_t t = (uint64_t)s->c[j] + A[j % 3] + s->b;
        s->c[j] = (uint32_t)t;
        s->b = (uint32_t)(t >> 32);
    }
    for (int j = 0; j < 8; j++) {
        uint64_t u = (uint32_t)(s->x[j] + s->c[j]), square = u * u;
        g[j] = (uint32_t)square ^ (uint32_t)(square >> 32);
    }
    for (int j = 0; j < 8; j += 2) {
        uint32_t g1 = g[(j + 7) & 7], g2 = g[(j + 6) & 7];
        s->x[j] = g[j] + rotl32(g1, 16) + rotl32(g2, 16);
        s->x[j + 1] = g[j + 1] + rotl32(g[j], 8) + g1;
    }
}

static void block(crypto_stream_state *s, uint8_t out[16])
{
    next(s);
    for (int m = 0; m < 4; m++)
        store_le32(out + 4 * m, s->x[2 * m] ^ (s->x[(2 * m + 5) & 7] >> 16)
                                    ^ (s->x[(2 * m + 3) & 7] << 16));
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    uint32_t k[8];
    for (int i = 0; i < 8; i++) k[i] = key[2 * i] + 256u * key[2 * i + 1];
    for (int j = 0; j < 8; j += 2) {
        expanded->x[j] = k[j + 1] << 16 | k[j];
        expanded->c[j] = k[(j + 4) & 7] << 16 | k[(j + 5) & 7];
    }
    for (int j = 1; j < 8; j += 2) {
        expanded->x[j] = k[(j + 5) & 7] << 16 | k[(j + 4) & 7];
        expanded->c[j] = k[j] << 16 | k[(j + 1) & 7];
    }
    expanded->b = 0;
    for (int n = 0; n < 4; n++) next(expanded);
    for (int j = 0; j < 8; j++) expanded->c[j] ^= expanded->x[(j + 4) & 7];
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    uint32_t i0 = load_le32(nonce), i2 = load_le32(nonce + 4);
    uint32_t i[4] = { i0, (i2 & 0xffff0000) | (i0 >> 16), i2, i2 << 16 | (i0 & 0xffff) };
    (void)soon;
    *state = *expanded;
    for (int j = 0; j < 8; j++) state->c[j] ^= i[j & 3];
    for (int n = 0; n < 4; n++) next(state);
    block(state, first);
}

#include "../../_words/xor_blocks16.h"
