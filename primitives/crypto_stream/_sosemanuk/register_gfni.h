/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SOSEMANUK_REGISTER_H
#define SOSEMANUK_REGISTER_H

/* The register of SOSEMANUK running ahead, eight words at once. */

#include "../_snow/alpha.h"
#include "../_snow/gfni.h"
#include "bytes.h"

#define CHUNK 32
#define RING (4 * CHUNK)

typedef struct {
    uint32_t a[2 * RING]; /* register words t modulo RING, twice in a row */
    uint32_t x[RING];     /* a[t+1] ^ a[t+8] */
    __m256i w0, w8, w16;  /* a[t] .. a[t+23] by planes, t the next to be made */
} register_state;

#define ODD_TERMS(w) (w).x
#define ODD_TERM(a, x, t) x[t]

static inline void put_words(register_state *w, uint32_t t, __m256i planes)
{
    __m256i words = from_planes(planes);
    _mm256_storeu_si256((__m256i *)(w->a + t % RING), words);
    _mm256_storeu_si256((__m256i *)(w->a + t % RING + RING), words);
}

/* x for words t .. t + 7, and words t + 24 .. t + 31.  Each of these is the sum
 * of every second word before it, back to words t + 22 and t + 23. */
static inline void eight_ahead(register_state *w, uint32_t t)
{
    const __m256i last_two = _mm256_setr_epi64x(0x0706070607060706, 0x0f0e0f0e0f0e0f0e,
                                                0x0706070607060706, 0x0f0e0f0e0f0e0f0e);
    __m256i x = _mm256_xor_si256(WORDS_FROM(1, w->w0, w->w8), w->w8);
    __m256i n = _mm256_xor_si256(alpha2_times(WORDS_FROM(4, w->w0, w->w8)),
                                 alpha2_divides(WORDS_FROM(2, w->w8, w->w16)));
    n = _mm256_xor_si256(n, _mm256_slli_epi64(n, 16));
    n = _mm256_xor_si256(n, _mm256_slli_epi64(n, 32));
    n = _mm256_xor_si256(n, _mm256_shuffle_epi8(w->w16, last_two));
    _mm256_storeu_si256((__m256i *)(w->x + t % RING), from_planes(x));
    put_words(w, t + 24, n);
    w->w0 = w->w8, w->w8 = w->w16, w->w16 = n;
}

static inline void begin(register_state *w, const crypto_stream_state *z)
{
    uint32_t a[24];
    memcpy(a, z->a, sizeof z->a);
    for (int t = 0; t < 14; t++)
        a[t + 10] = a[t + 9] ^ alpha_divides(a[t + 3]) ^ alpha_times(a[t]);
    w->w0 = to_planes(a), w->w8 = to_planes(a + 8), w->w16 = to_planes(a + 16);
    put_words(w, 0, w->w0);
    put_words(w, 8, w->w8);
    put_words(w, 16, w->w16);
}

#endif
