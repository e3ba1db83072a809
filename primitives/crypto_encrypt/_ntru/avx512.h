/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* For ring_vector.h: 32 coefficients a vector; 32 registers hold an element. */
#include <immintrin.h>
#include <stdint.h>

typedef __m512i vec;
#define VEC_LANES 32
#define VEC_SUMS 28 /* vectors that a pass of ring_multiply keeps in registers */

static inline vec v_load(const uint16_t *p) { return _mm512_loadu_si512(p); }
static inline void v_store(uint16_t *p, vec x) { _mm512_storeu_si512(p, x); }
static inline vec v_all(uint32_t x) { return _mm512_set1_epi16((short)x); }
static inline vec v_add(vec x, vec y) { return _mm512_add_epi16(x, y); }
static inline vec v_sub(vec x, vec y) { return _mm512_sub_epi16(x, y); }
static inline vec v_min(vec x, vec y) { return _mm512_min_epu16(x, y); }
static inline vec v_low(vec x, vec y) { return _mm512_mullo_epi16(x, y); }
static inline vec v_high(vec x, vec y) { return _mm512_mulhi_epu16(x, y); }

/* Bit i = lane i mod 2, and back. */
static inline uint32_t v_parity(vec x)
{
    return _mm512_test_epi16_mask(x, _mm512_set1_epi16(1));
}

static inline vec v_bits(uint32_t bits)
{
    return _mm512_maskz_set1_epi16(bits, 1);
}
