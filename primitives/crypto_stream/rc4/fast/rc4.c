/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RC4 for machines that run ahead of their stores.
 *
 * A step loads S[i] for the next i; the step before stores to S[j], j secret.
 * A processor that has been wrong once about those two not meeting makes the
 * load wait for the store, and a step then costs the latency of memory.  Here
 * eight S[i] are loaded before the first of their eight steps, and loaded
 * again in the one case of 32 where a j falls among them; what remains from
 * step to step is one addition to j.  S has 32-bit words, the width at which
 * loads and stores cost least; the expanded key has bytes, and it has done
 * the steps of the key schedule that do not see the nonce.  (Loading S[i + 1]
 * ahead of the swap: an old rule of assembly-language RC4s; the window of
 * eight is worked out here.) */

#include "crypto_stream.h"

#include <string.h>

#include "bytes.h"

#define WINDOW 8

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

#define INLINE static inline __attribute__((always_inline))

INLINE void load_window(unsigned *x, const uint32_t *S, unsigned i)
{
    UNROLL for (int k = 0; k < WINDOW; k++) x[k] = S[i + k];
}

/* The swap of S[i + k] = x[k] and S[j]; returns the old S[j].  x stays true. */
INLINE unsigned swap_in_window(uint32_t *S, unsigned *x, unsigned i, int k,
                               unsigned j)
{
    unsigned y = S[j];
    S[i + k] = y;
    S[j] = x[k];
    if (__builtin_expect((uint8_t)(j - i) < WINDOW, 0)) {
        unsigned xk = x[k];
        load_window(x, S, i);
        x[k] = xk;
    }
    return y;
}

/* Steps i .. i + 7 of the key schedule with eight bytes of K. */
INLINE unsigned schedule_window(uint32_t *S, unsigned i, unsigned j, const uint8_t *K)
{
    unsigned x[WINDOW];
    load_window(x, S, i);
    UNROLL for (int k = 0; k < WINDOW; k++) {
        j = (uint8_t)(j + (x[k] + K[k]));
        swap_in_window(S, x, i, k, j);
    }
    return j;
}

/* Eight bytes of keystream for i .. i + 7, the first in the low byte. */
INLINE uint64_t output_window(uint32_t *S, unsigned i, unsigned *jp)
{
    unsigned x[WINDOW], j = *jp;
    uint64_t word = 0;
    load_window(x, S, i);
    UNROLL for (int k = 0; k < WINDOW; k++) {
        j = (uint8_t)(j + x[k]);
        unsigned y = swap_in_window(S, x, i, k, j);
        word |= (uint64_t)S[(uint8_t)(x[k] + y)] << 8 * k;
    }
    *jp = j;
    return word;
}

static uint8_t output_byte(uint32_t *S, unsigned i, unsigned *j)
{
    unsigned x = S[i], y;
    *j = (uint8_t)(*j + x);
    y = S[*j];
    S[i] = y;
    S[*j] = x;
    return S[(uint8_t)(x + y)];
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    uint32_t S[256];
    unsigned j = 0;
    for (unsigned i = 0; i < 256; i++) S[i] = i;
    for (unsigned i = 0; i < 32; i += WINDOW) j = schedule_window(S, i, j, key + i);
    for (int i = 0; i < 256; i++) expanded->S[i] = (uint8_t)S[i];
    expanded->j = (uint8_t)j;
    memcpy(expanded->key, key, 32);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    uint8_t K[48];
    uint32_t *S = state->S;
    unsigned i, k = 32, j = expanded->j;
    (void)soon;
    memcpy(K, expanded->key, 32);
    memcpy(K + 32, nonce, 16);
    for (i = 0; i < 256; i++) S[i] = expanded->S[i];
    for (i = 32; i < 256; i += WINDOW) {
        j = schedule_window(S, i, j, K + k);
        k = k == 48 - WINDOW ? 0 : k + WINDOW;
    }
    j = 0;
    for (i = 1; i < 8; i++) first[i - 1] = output_byte(S, i, &j);
    store_le64(first + 7, output_window(S, 8, &j));
    first[15] = output_byte(S, 16, &j);
    state->j = (uint8_t)j;
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint32_t *S = state->S;
    unsigned i = 17, j = state->j;
    for (; i < 24 && length > 0; length--, i++)
        *out++ = (uint8_t)(*in++ ^ output_byte(S, i, &j));
    for (; length >= 8; length -= 8, out += 8, in += 8) {
        store_le64(out, load_le64(in) ^ output_window(S, i, &j));
        i = (i + WINDOW) & 255;
    }
    for (; length > 0; length--, i++)
        *out++ = (uint8_t)(*in++ ^ output_byte(S, i, &j));
}
