/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Booting in registers (boot.h), then the generator in vectors (rows.h), a row a
 * vector. */

#include "crypto_stream.h"

#include <immintrin.h>

#include "../../_cryptmt/boot.h"

#define GROUP 8

typedef __m256i vector;

typedef struct {
    __m256i back[2];    /* the rows one and two before */
    __m256i y;          /* in all eight places */
} generator;

static inline vector broadcast(uint32_t x)
{
    return _mm256_set1_epi32((int)x);
}

#define or _mm256_or_si256
#define mul _mm256_mullo_epi32
#define low32 _mm256_unpacklo_epi32
#define high32 _mm256_unpackhi_epi32
#define low64 _mm256_unpacklo_epi64
#define high64 _mm256_unpackhi_epi64
#define low_words(a, b) _mm256_permute2x128_si256(a, b, 0x20)
#define high_words(a, b) _mm256_permute2x128_si256(a, b, 0x31)
#define total(v) _mm256_permutevar8x32_epi32(v, broadcast(7))

static inline __m256i earlier(__m256i v, int i)
{
    __m256i low = _mm256_permute2x128_si256(v, broadcast(1), 0x02);     /* 1s, low half */
    if (i == 2) return low;
    return i == 0 ? _mm256_alignr_epi8(v, low, 12) : _mm256_alignr_epi8(v, low, 8);
}

static inline generator generator_init(const __m256i *rows)
{
    return (generator){{rows[BLOCK / 7 - 1], rows[BLOCK / 7 - 2]}, broadcast(0x4d484e53)};
}

/* The next value of row *p.  The running xor takes three shifts and xors; the
 * last y of the row before comes in at the end. */
static inline __m256i next(generator *g, __m256i *p)
{
    const __m256i last = broadcast(6), three = broadcast(3);
    const __m256i high = _mm256_setr_epi32(0, 0, 0, 0, -1, -1, -1, -1);
    __m256i old = _mm256_load_si256(p);
    __m256i u = _mm256_xor_si256(_mm256_slli_epi32(old, 7), g->back[1]);
    u = _mm256_xor_si256(u, _mm256_bslli_epi128(u, 4));
    u = _mm256_xor_si256(u, _mm256_bslli_epi128(u, 8));
    __m256i carry = _mm256_and_si256(_mm256_permutevar8x32_epi32(u, three), high);
    __m256i y = _mm256_xor_si256(_mm256_xor_si256(u, carry), g->y);
    __m256i new = _mm256_xor_si256(_mm256_xor_si256(old, y), _mm256_srli_epi32(y, 3));
    _mm256_store_si256(p, new);
    g->y = _mm256_permutevar8x32_epi32(y, last);
    g->back[1] = g->back[0];
    g->back[0] = new;
    return new;
}

/* The top bytes of q, row after row: 16, 16, 16 and 8 bytes. */
static inline void gather(__m128i out[4], const __m256i q[7])
{
    const __m256i second = _mm256_set1_epi32(0xff00), third = _mm256_set1_epi32(0xff0000);
    const __m256i fourth = _mm256_set1_epi32((int)0xff000000);
    const __m256i squeeze = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, -1, -1));
    __m256i t[2];
    for (int i = 0; i < 2; i++) {
        const __m256i *v = q + 4 * i;
        t[i] = _mm256_srli_epi32(v[0], 24);
        __m256i b = _mm256_and_si256(_mm256_srli_epi32(v[1], 16), second);
        __m256i c = _mm256_and_si256(_mm256_srli_epi32(v[2], 8), third);
        t[i] = _mm256_or_si256(t[i], _mm256_or_si256(b, c));
        if (i == 0) t[i] = _mm256_or_si256(t[i], _mm256_and_si256(v[3], fourth));
    }
    __m256i even = _mm256_shuffle_epi8(_mm256_unpacklo_epi32(t[0], t[1]), squeeze);
    __m256i odd = _mm256_shuffle_epi8(_mm256_unpackhi_epi32(t[0], t[1]), squeeze);
    __m128i a = _mm256_castsi256_si128(even), b = _mm256_castsi256_si128(odd);
    __m128i c = _mm256_extracti128_si256(even, 1), d = _mm256_extracti128_si256(odd, 1);
    out[0] = _mm_or_si128(a, _mm_bslli_si128(b, 14));
    out[1] = _mm_or_si128(_mm_bsrli_si128(b, 2), _mm_bslli_si128(c, 12));
    out[2] = _mm_or_si128(_mm_bsrli_si128(c, 4), _mm_bslli_si128(d, 10));
    out[3] = _mm_bsrli_si128(d, 6);
}

static inline void xor16(uint8_t *out, const uint8_t *in, __m128i v)
{
    __m128i x = _mm_loadu_si128((const __m128i *)in);
    _mm_storeu_si128((__m128i *)out, _mm_xor_si128(v, x));
}

static inline void write(uint8_t *out, const uint8_t *in, const __m256i q[8])
{
    __m128i bytes[4];
    gather(bytes, q);
    for (int i = 0; i < 3; i++) xor16(out + 16 * i, in + 16 * i, bytes[i]);
    store_le64(out + 48, load_le64(in + 48) ^ (uint64_t)_mm_cvtsi128_si64(bytes[3]));
}

#include "../../_cryptmt/rows.h"
