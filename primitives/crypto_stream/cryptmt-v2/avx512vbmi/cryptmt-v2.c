/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Booting in registers (boot.h), then the generator in vectors (rows.h), two
 * rows a vector.  512-bit instructions leave two ports of three to all others,
 * so everything is 512 bits wide; the idle words stay 0 and hand the running xor
 * through. */

#include "crypto_stream.h"

#include <immintrin.h>

#include "../../_cryptmt/boot.h"

#define GROUP 16

typedef __m512i vector;

typedef struct {
    __m512i back;       /* the two rows before */
    __m512i y;          /* the last y, in all places */
} generator;

static inline vector broadcast(uint32_t x)
{
    return _mm512_set1_epi32((int)x);
}

#define or _mm512_or_si512
#define mul _mm512_mullo_epi32
#define low32 _mm512_unpacklo_epi32
#define high32 _mm512_unpackhi_epi32
#define low64 _mm512_unpacklo_epi64
#define high64 _mm512_unpackhi_epi64
#define low_words(a, b) _mm512_shuffle_i32x4(a, b, 0x88)
#define high_words(a, b) _mm512_shuffle_i32x4(a, b, 0xdd)
#define total(v) _mm512_permutexvar_epi32(broadcast(15), v)

/* The transposition leaves the rows in the order 0 2 4 6, 1 3 5 7, 8 10 12 14,
 * 9 11 13 15.  For each word of such a vector: where the words of the rows 1, 2,
 * 4 and 8 before are (16 is outside). */
static const uint32_t before[4][16] = {
    {16, 4, 5, 6, 0, 1, 2, 3, 7, 12, 13, 14, 8, 9, 10, 11},
    {16, 0, 1, 2, 16, 4, 5, 6, 3, 8, 9, 10, 7, 12, 13, 14},
    {16, 16, 0, 1, 16, 16, 4, 5, 2, 3, 8, 9, 6, 7, 12, 13},
    {16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7},
};

static inline __m512i earlier(__m512i v, int i)
{
    return _mm512_permutex2var_epi32(v, _mm512_loadu_si512(before[i]), broadcast(1));
}

static inline generator generator_init(const __m256i *rows)
{
    return (generator){_mm512_loadu_si512(rows + BLOCK / 7 - 2), broadcast(0x4d484e53)};
}

/* The next values of two rows.  Running xor in the quarters, then across. */
static inline __m512i next(generator *g, __m256i *p)
{
    const __m512i last = broadcast(15);
    const __m256i eleven = _mm256_set1_epi32(11);
    const __m512i quarter = _mm512_inserti64x4(broadcast(3), eleven, 1);
    const __m512i half = broadcast(7);
    __m512i old = _mm512_loadu_si512(p);
    __m512i u = _mm512_xor_si512(_mm512_slli_epi32(old, 7), g->back);
    u = _mm512_xor_si512(u, _mm512_bslli_epi128(u, 4));
    u = _mm512_xor_si512(u, _mm512_bslli_epi128(u, 8));
    u = _mm512_xor_si512(u, _mm512_maskz_permutexvar_epi32(0xf0f0, quarter, u));
    __m512i across = _mm512_maskz_permutexvar_epi32(0xff00, half, u);
    __m512i y = _mm512_ternarylogic_epi32(u, g->y, across, 0x96);
    g->y = _mm512_permutexvar_epi32(last, y);
    __m512i shifted = _mm512_srli_epi32(y, 3);
    g->back = _mm512_maskz_ternarylogic_epi32(0x7f7f, old, y, shifted, 0x96);
    _mm512_storeu_si512(p, g->back);
    return g->back;
}

/* Where byte b = 7 * row + k of a group is: words 0..3 of the rows are packed in
 * one vector, words 4..6 in another, in the order of pack(). */
static const uint8_t places[128] = {
    1, 3, 0, 2, 65, 67, 64, 17, 19, 16, 18, 81, 83, 80,
    5, 7, 4, 6, 69, 71, 68, 21, 23, 20, 22, 85, 87, 84,
    9, 11, 8, 10, 73, 75, 72, 25, 27, 24, 26, 89, 91, 88,
    13, 15, 12, 14, 77, 79, 76, 29, 31, 28, 30, 93, 95, 92,
    33, 35, 32, 34, 97, 99, 96, 49, 51, 48, 50, 113, 115, 112,
    37, 39, 36, 38, 101, 103, 100, 53, 55, 52, 54, 117, 119, 116,
    41, 43, 40, 42, 105, 107, 104, 57, 59, 56, 58, 121, 123, 120,
    45, 47, 44, 46, 109, 111, 108, 61, 63, 60, 62, 125, 127, 124,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0,
};

/* The top bytes of the words a, b, c, d of each row, in the order c, a, d, b. */
static inline __m512i pack(__m512i a, __m512i b, __m512i c, __m512i d)
{
    const __mmask32 odd = 0xaaaaaaaa;
    a = _mm512_mask_blend_epi16(odd, _mm512_srli_epi32(a, 16), b);
    c = _mm512_mask_blend_epi16(odd, _mm512_srli_epi32(c, 16), d);
    return _mm512_mask_blend_epi8(0xaaaaaaaaaaaaaaaa, _mm512_srli_epi16(c, 8), a);
}

static inline void write(uint8_t *out, const uint8_t *in, const __m512i q[8])
{
    const __mmask64 rest = ((__mmask64)1 << 48) - 1;
    __m512i a = pack(q[0], q[1], q[2], q[3]), b = pack(q[4], q[5], q[6], q[6]);
    __m512i x = _mm512_permutex2var_epi8(a, _mm512_loadu_si512(places), b);
    __m512i y = _mm512_permutex2var_epi8(a, _mm512_loadu_si512(places + 64), b);
    x = _mm512_xor_si512(x, _mm512_loadu_si512(in));
    y = _mm512_xor_si512(y, _mm512_maskz_loadu_epi8(rest, in + 64));
    _mm512_storeu_si512(out, x);
    _mm512_mask_storeu_epi8(out + 64, rest, y);
}

#include "../../_cryptmt/rows.h"
