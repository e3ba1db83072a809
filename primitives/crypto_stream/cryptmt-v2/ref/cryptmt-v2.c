/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CryptMT v2 as its sheet says it.  Booting is lazy: each of the first 623
 * bytes takes one step of the mixing procedure. */

#include "crypto_stream.h"

#include "bytes.h"

#define S IV_WORDS
#define KEY_WORDS (crypto_stream_KEYBYTES / 4)

/* Iteration i of the mixing procedure, with offset L; returns the new lung. */
static uint32_t mix(uint32_t *a, int i, int l, uint32_t mask, uint32_t lung)
{
    uint32_t y = a[l + i - 2] ^ mask;
    uint32_t x = a[i];
    a[i] ^= y;
    lung *= y | 1;
    x ^= lung;
    a[l + i] ^= (x ^ ~x >> 16) + (y << 1);
    return lung;
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    uint32_t a[2 * BLOCK + 4 * S + 2 * KEY_WORDS] = {0};
    for (int i = 0; i < KEY_WORDS; i++) a[i] = load_le32(key + 4 * i);
    uint32_t lung = a[1] | 1;
    for (int i = 0; i < 2 * BLOCK + 4 * S + KEY_WORDS; i++)
        lung = mix(a, i, KEY_WORDS, (uint32_t)(KEY_WORDS - 1 + i), lung);
    memcpy(expanded->ke, a + 2 * KEY_WORDS, sizeof expanded->ke);
}

static uint8_t next(crypto_stream_state *st)
{
    uint32_t *t = st->b + 2 * S, *p = t;
    int i = st->bytes++;
    if (st->booting) {
        st->lung = mix(t, i, S, st->key->ke[2 * S + i], st->lung);
    } else {
        st->y ^= p[i] << 7 ^ p[(i + 609) % BLOCK];
        p[i] ^= st->y ^ st->y >> 3;
    }
    st->accum *= p[i] | 1;
    if (st->bytes == BLOCK) st->bytes = st->booting = 0;
    return (uint8_t)(st->accum >> 24);
}

void crypto_stream_start(crypto_stream_state *st, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    (void)soon;
    const uint32_t *ke = expanded->ke;
    uint32_t *b = st->b;
    for (int i = 0; i < S; i++) b[i] = load_le32(nonce + 4 * i);
    memcpy(b + S, ke + BLOCK + 2 * S, (2 * S + BLOCK) * sizeof *b);
    uint32_t lung = b[1] | 1;
    for (int i = 0; i < 2 * S; i++) lung = mix(b, i, S, ke[i], lung);

    st->key = expanded;
    st->lung = b[2 * S + 1] | 1;
    st->accum = b[S - 1] | 1;
    st->y = 0x4d484e53;
    st->bytes = 0;
    st->booting = 1;
    for (int i = 0; i < crypto_stream_FIRSTBYTES; i++) first[i] = next(st);
}

void crypto_stream_xor(crypto_stream_state *st, uint8_t *out, const uint8_t *in,
                       uint64_t length)
{
    for (; length > 0; length--) *out++ = *in++ ^ next(st);
}
