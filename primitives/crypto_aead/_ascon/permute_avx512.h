/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ASCON_PERMUTE_AVX512_H
#define ASCON_PERMUTE_AVX512_H

/* The permutations Ascon-p[rounds] on the low words of five vector registers,
 * for the sake of vpternlogq: what takes two or three operations in general
 * registers takes one here, and a round's longest chain is five. */

#include <immintrin.h>
#include <stdint.h>

#define ASCON_INLINE static inline __attribute__((always_inline))

typedef struct {
    uint64_t x[5];
} ascon_state;

#define ASCON_XOR3(a, b, c) _mm_ternarylogic_epi64(a, b, c, 0x96)
#define ASCON_CHI(a, b, c) _mm_ternarylogic_epi64(a, b, c, 0xd2) /* a ^ (~b & c) */
#define ASCON_LINEAR(x, m, n) ASCON_XOR3(x, _mm_ror_epi64(x, m), _mm_ror_epi64(x, n))

ASCON_INLINE void ascon_round(__m128i x[5], long long constant)
{
    const __m128i c = _mm_set_epi64x(0, constant), ones = _mm_set1_epi64x(-1);
    __m128i x0 = _mm_xor_si128(x[0], x[4]), x1 = x[1], x3 = x[3];
    __m128i x2 = ASCON_XOR3(x[2], x1, c), x4 = _mm_xor_si128(x[4], x3);
    __m128i y0 = ASCON_CHI(x0, x1, x2), y1 = ASCON_CHI(x1, x2, x3);
    __m128i y2 = ASCON_CHI(x2, x3, x4), y3 = ASCON_CHI(x3, x4, x0);
    __m128i y4 = ASCON_CHI(x4, x0, x1);

    y1 = _mm_xor_si128(y1, y0);
    y3 = _mm_xor_si128(y3, y2);
    y0 = _mm_xor_si128(y0, y4);
    y2 = _mm_xor_si128(y2, ones);
    x[0] = ASCON_LINEAR(y0, 19, 28);
    x[1] = ASCON_LINEAR(y1, 61, 39);
    x[2] = ASCON_LINEAR(y2, 1, 6);
    x[3] = ASCON_LINEAR(y3, 10, 17);
    x[4] = ASCON_LINEAR(y4, 7, 41);
}

ASCON_INLINE void ascon_permute(ascon_state *s, int rounds)
{
    __m128i x[5];
    for (int i = 0; i < 5; i++) x[i] = _mm_cvtsi64_si128((long long)s->x[i]);
    if (rounds == 12) {
        ascon_round(x, 0xf0);
        ascon_round(x, 0xe1);
        ascon_round(x, 0xd2);
        ascon_round(x, 0xc3);
    }
    ascon_round(x, 0xb4);
    ascon_round(x, 0xa5);
    ascon_round(x, 0x96);
    ascon_round(x, 0x87);
    ascon_round(x, 0x78);
    ascon_round(x, 0x69);
    ascon_round(x, 0x5a);
    ascon_round(x, 0x4b);
    for (int i = 0; i < 5; i++) s->x[i] = (uint64_t)_mm_cvtsi128_si64(x[i]);
}

#endif
