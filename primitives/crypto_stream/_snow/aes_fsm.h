/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SNOW_AES_FSM_H
#define SNOW_AES_FSM_H

/* The state machine of SNOW 2.0 with the AES round instruction.  A word stands
 * in all four columns: ShiftRows changes nothing, and a round with a zero key
 * is S in each column. */

#include <immintrin.h>
#include <stdint.h>

typedef __m128i fsm;

static inline fsm fsm_set(uint32_t w)
{
    return _mm_set1_epi32((int)w);
}

static inline uint32_t fsm_word(fsm x)
{
    return (uint32_t)_mm_cvtsi128_si32(x);
}

static inline fsm fsm_add(fsm x, uint32_t w)
{
    return _mm_add_epi32(x, fsm_set(w));
}

static inline fsm fsm_S(fsm x)
{
    return _mm_aesenc_si128(x, _mm_setzero_si128());
}

/* Four keystream clocks from R1, R2, and the 16 bytes at out, given the words
 * s[0] .. s[19] of the register's sequence.  R1 of every clock is blended into
 * one vector, R2 into another; the rest is done on four words at once. */
#define FSM_STEP(t)                                                            \
    old = r1;                                                                  \
    r1 = fsm_add(r2, s[(t) + 5]);                                              \
    r2 = fsm_S(old);                                                           \
    all1 = _mm_blend_epi32(all1, r1, 1 << (t));                                \
    all2 = _mm_blend_epi32(all2, r2, 1 << (t));

static inline void four_words(uint8_t *out, const uint8_t *in, const uint32_t *s,
                              fsm *R1, fsm *R2)
{
    fsm r1 = *R1, r2 = *R2, old = r1, all1, all2;
    r1 = fsm_add(r2, s[5]);
    r2 = fsm_S(old);
    all1 = r1;
    all2 = r2;
    FSM_STEP(1)
    FSM_STEP(2)
    FSM_STEP(3)
    *R1 = r1;
    *R2 = r2;
    all1 = _mm_add_epi32(all1, _mm_loadu_si128((const __m128i *)(s + 16)));
    all2 = _mm_xor_si128(all2, _mm_loadu_si128((const __m128i *)(s + 1)));
    all2 = _mm_xor_si128(all2, _mm_loadu_si128((const __m128i *)in));
    _mm_storeu_si128((__m128i *)out, _mm_xor_si128(all1, all2));
}

static inline void sixteen_words(uint8_t *out, const uint8_t *in, const uint32_t *s,
                                 fsm *r1, fsm *r2)
{
    __asm__("" : "+r"(s)); /* read words from memory: a load broadcasts them */
    for (int i = 0; i < 16; i += 4) four_words(out + 4 * i, in + 4 * i, s + i, r1, r2);
}

#endif
