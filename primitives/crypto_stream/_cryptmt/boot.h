/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CryptMT v2: key set-up, IV set-up and booting in registers.
 *
 * The mixing procedure looks back L words (4 in a packet, 8 in key set-up), so
 * its array is L registers, a[i mod L] = A[i], and the words that come out.  IV
 * set-up and booting mix the same array one after the other: step i of the two
 * together has the mask KE[i] and meets the word KE[STEPS + i].  So nothing is
 * copied; a packet reads the expanded key as far as it is long.
 *
 * A step is a chain: y -> lung *= y | 1 -> new word -> y of two steps later.  To
 * shorten it,
 *   x ^ (~x >> 16) with x = a ^ lung
 *     = lung ^ (lung >> 16) ^ (a ^ (a >> 16) ^ 0xffff)
 * where the part in a is known L steps early; and KE[STEPS + i] is kept together
 * with the mask that the new word meets as y.  So two steps, whose chains are
 * side by side, take the time of two xors, an addition, a xor, an or and a
 * multiplication. */

#include "bytes.h"

_Static_assert(IV_WORDS == 4 && crypto_stream_KEYBYTES == 32, "sizes of windows");

/* Step i with k = i mod L: y[i mod 2] = A[L + i - 2] ^ mask(i), then the y of
 * step i + 2, whose mask is given.  Returns the final A[i]. */
static inline uint32_t mix(mixer *m, int k, uint32_t fresh, uint32_t mask)
{
    uint32_t a = m->a[k], y = m->y[k & 1], lung = m->lung * (y | 1);
    uint32_t early = a ^ a >> 16 ^ 0xffff, twice = y << 1;
    /* Compilers would put parts of these off, or make vectors of them. */
    __asm__("" : "+r"(early), "+r"(lung), "+r"(twice));
    uint32_t w = (lung ^ early) ^ lung >> 16;
    uint32_t next = (w + twice) ^ fresh;
    m->lung = lung;
    m->y[k & 1] = next;
    m->a[k] = next ^ mask;
    return a ^ y;
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    /* KE is A from word SKIP on.  mask(i) = 7 + i, the mask of
     * step i + 2 is 9 + i, and all words met are 0. */
    enum { SKIP = 16, END = SKIP + 2 * STEPS };
    uint32_t *w = expanded->w;
    mixer m;
    for (int i = 0; i < 8; i++) m.a[i] = load_le32(key + 4 * i);
    m.y[0] = m.a[6] ^ 7;
    m.y[1] = m.a[7] ^ 8;
    m.lung = m.a[1] | 1;
    uint32_t i;
    for (i = 0; i < SKIP; i++) mix(&m, i % 8, 9 + i, 9 + i);
    while (i + 8 <= END - 8) {
#pragma GCC unroll 8
        for (uint32_t k = 0; k < 8; k++, i++) w[i - SKIP] = mix(&m, k, 9 + i, 9 + i);
    }
    for (; i < END - 8; i++) w[i - SKIP] = mix(&m, i % 8, 9 + i, 9 + i);
    for (; i < END; i++) w[i - SKIP] = m.a[i % 8];
    for (i = 0; i < STEPS; i++) w[STEPS + i] ^= w[i + 2];
}

void crypto_stream_start(crypto_stream_state *st, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    enum { SETUP = 2 * IV_WORDS };
    (void)soon;
    const uint32_t *mask = expanded->w, *fresh = mask + STEPS;
    mixer m = {{0}, {0}, 0};
    for (int i = 0; i < 4; i++) m.a[i] = load_le32(nonce + 4 * i);
    m.y[0] = m.a[2] ^ mask[0];
    m.y[1] = m.a[3] ^ mask[1];
    m.lung = m.a[1] | 1;
    uint32_t accum = 0;
#pragma GCC unroll 8
    for (int i = 0; i < SETUP; i++) {
        uint32_t a = mix(&m, i % 4, fresh[i], mask[i + 2]);
        if (i == 3) accum = a | 1;
    }
    m.lung = m.a[1] | 1;
    fresh += SETUP;
    mask += SETUP + 2;
#pragma GCC unroll 16
    for (int i = 0; i < crypto_stream_FIRSTBYTES; i++) {
        st->t[i] = mix(&m, i % 4, fresh[i], mask[i]);
        accum *= st->t[i] | 1;
        first[i] = (uint8_t)(accum >> 24);
    }
    st->key = expanded;
    st->m = m;
    st->accum = accum;
}

/* The rest of booting, as far as `length` bytes need it: all of t[BLOCK], unless
 * the packet ends before.  Returns the bytes made. */
static uint64_t boot(crypto_stream_state *st, uint32_t *t, uint8_t *out,
                     const uint8_t *in, uint64_t length)
{
    enum { DONE = crypto_stream_FIRSTBYTES };
    const uint32_t *mask = st->key->w + 2 * IV_WORDS, *fresh = mask + STEPS;
    uint32_t accum = st->accum;
    uint8_t pad[BLOCK + 1];
    mixer m = st->m;
    memcpy(t, st->t, sizeof st->t);
    if (length > BLOCK - DONE) length = BLOCK - DONE;
    int i = DONE, end = DONE + (int)length;
    mask += 2;
    for (; i + 4 <= end; i += 4) {
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            t[i + k] = mix(&m, k, fresh[i + k], mask[i + k]);
            accum *= t[i + k] | 1;
            pad[i + k] = (uint8_t)(accum >> 24);
        }
    }
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++, i++) {
        if (i == end) break;
        t[i] = mix(&m, k, fresh[i], mask[i]);
        accum *= t[i] | 1;
        pad[i] = (uint8_t)(accum >> 24);
    }
    st->accum = accum;
    xor_bytes(out, in, pad + DONE, length);
    return length;
}
