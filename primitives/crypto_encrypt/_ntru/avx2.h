/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* For ring_vector.h: 16 coefficients a vector. */
#include <immintrin.h>
#include <stdint.h>

typedef __m256i vec;
#define VEC_LANES 16
#define VEC_SUMS 13 /* vectors that a pass of ring_multiply keeps in registers */

static inline vec v_load(const uint16_t *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

static inline void v_store(uint16_t *p, vec x)
{
    _mm256_storeu_si256((__m256i *)p, x);
}

static inline vec v_all(uint32_t x) { return _mm256_set1_epi16((short)x); }
static inline vec v_add(vec x, vec y) { return _mm256_add_epi16(x, y); }
static inline vec v_sub(vec x, vec y) { return _mm256_sub_epi16(x, y); }
static inline vec v_min(vec x, vec y) { return _mm256_min_epu16(x, y); }
static inline vec v_low(vec x, vec y) { return _mm256_mullo_epi16(x, y); }
static inline vec v_high(vec x, vec y) { return _mm256_mulhi_epu16(x, y); }

/* Bit i = lane i mod 2, and back. */
static inline uint32_t v_parity(vec x)
{
    __m256i sign = _mm256_slli_epi16(x, 15);
    uint32_t m = (uint32_t)_mm256_movemask_epi8(
        _mm256_packs_epi16(sign, _mm256_setzero_si256()));

    return (m & 0xff) | (m >> 8 & 0xff00);
}

static inline vec v_bits(uint32_t bits)
{
    const vec place = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024,
                                        2048, 4096, 8192, 16384, -32768);

    return _mm256_srli_epi16(
        _mm256_cmpeq_epi16(_mm256_and_si256(v_all(bits), place), place), 15);
}
