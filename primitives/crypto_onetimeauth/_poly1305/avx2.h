/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef POLY1305_AVX2_H
#define POLY1305_AVX2_H

/* Poly1305 with AVX2: four blocks a vector, one per 64-bit lane, each number
 * five limbs of 26 bits for the 32 x 32 -> 64-bit multiplication (Goll and
 * Gueron, "Vectorization of Poly1305 message authentication code", ITNG 2015).
 *
 * The n blocks m[1..n] are cut into groups of four *from the end*, zero lanes
 * in front, so that every lane takes part in every step:
 *
 *   x = first group;  x = x r^4 + next group, ...;
 *   h = sum over the lanes of x (r^4, r^3, r^2, r)
 *
 * In long messages two groups share the carries: x = (x r^8 + group r^4) +
 * next.  Inside a vector the blocks of a group stand in the order 1, 3, 2, 4,
 * which is how unpacking leaves them. */

#include <immintrin.h>

#include "scalar64.h"

#ifndef POLY1305_AVX2_PAIRS
#define POLY1305_AVX2_PAIRS 24 /* groups from which on r^8 pays for itself */
#endif

/* Four numbers as limbs.  Sums are below 2^27.1 per limb, products leave limbs
 * below 2^26 + 2^12. */
typedef struct {
    __m256i x[5];
} poly1305_avx2_vector;

/* Factors: limbs below 2^26 + 2^12, and 5 x for what passes 2^130. */
typedef struct {
    __m256i x[5], x_5[5]; /* x_5[0] is not used */
} poly1305_avx2_factor;

static inline __m256i poly1305_avx2_mask26(void)
{
    return _mm256_set1_epi64x(0x3ffffff);
}

/* Limbs of lo + 2^64 hi + 2^104 top. */
static inline poly1305_avx2_vector poly1305_avx2_split(__m256i lo, __m256i hi,
                                                       __m256i top)
{
    poly1305_avx2_vector v;
    __m256i mask = poly1305_avx2_mask26();

    v.x[0] = _mm256_and_si256(lo, mask);
    v.x[1] = _mm256_and_si256(_mm256_srli_epi64(lo, 26), mask);
    v.x[2] = _mm256_and_si256(_mm256_or_si256(_mm256_srli_epi64(lo, 52),
                                              _mm256_slli_epi64(hi, 12)),
                              mask);
    v.x[3] = _mm256_and_si256(_mm256_srli_epi64(hi, 14), mask);
    v.x[4] = _mm256_add_epi64(_mm256_srli_epi64(hi, 40), top);
    return v;
}

static inline poly1305_avx2_vector poly1305_avx2_add(poly1305_avx2_vector a,
                                                     poly1305_avx2_vector b)
{
    for (int i = 0; i < 5; i++) a.x[i] = _mm256_add_epi64(a.x[i], b.x[i]);
    return a;
}

/* Clang writes _mm256_mul_epu32 as masks and a 64-bit product, moves the masks
 * of what does not change out of a loop and then needs the whole 64-bit
 * product.  Factors whose value it cannot follow stay where they are. */
#ifdef __clang__
#define POLY1305_AVX2_OPAQUE(factor) __asm__("" : "+m"(*(factor)))
#else
#define POLY1305_AVX2_OPAQUE(factor) (void)(factor)
#endif

static inline poly1305_avx2_factor poly1305_avx2_factor_of(poly1305_avx2_vector v)
{
    poly1305_avx2_factor f;

    for (int i = 0; i < 5; i++) {
        f.x[i] = v.x[i];
        f.x_5[i] = _mm256_add_epi64(v.x[i], _mm256_slli_epi64(v.x[i], 2));
    }
    return f;
}

/* a b, and sum + a b, not carried: limbs below 5 * 2^27.1 * 2^28.4 < 2^58 for
 * one product. */
static inline poly1305_avx2_vector poly1305_avx2_mul(poly1305_avx2_vector a,
                                                     poly1305_avx2_factor *b)
{
    poly1305_avx2_vector sum;

    POLY1305_AVX2_OPAQUE(b);
    for (int i = 0; i < 5; i++) sum.x[i] = _mm256_mul_epu32(a.x[0], b->x[i]);
    for (int j = 1; j < 5; j++)
        for (int i = 0; i < 5; i++)
            sum.x[i] = _mm256_add_epi64(
                sum.x[i], _mm256_mul_epu32(a.x[j], i < j ? b->x_5[i - j + 5]
                                                         : b->x[i - j]));
    return sum;
}

static inline poly1305_avx2_vector
poly1305_avx2_mul_add(poly1305_avx2_vector sum, poly1305_avx2_vector a,
                      poly1305_avx2_factor *b)
{
    POLY1305_AVX2_OPAQUE(b);
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            sum.x[i] = _mm256_add_epi64(
                sum.x[i], _mm256_mul_epu32(a.x[j], i < j ? b->x_5[i - j + 5]
                                                         : b->x[i - j]));
    return sum;
}

/* Moves what is beyond 26 bits from limb i to the next. */
static inline void poly1305_avx2_carry1(poly1305_avx2_vector *v, int i)
{
    __m256i carry = _mm256_srli_epi64(v->x[i], 26);

    v->x[i] = _mm256_and_si256(v->x[i], poly1305_avx2_mask26());
    if (i == 4) /* 2^130 = 5 */
        carry = _mm256_add_epi64(carry, _mm256_slli_epi64(carry, 2));
    v->x[(i + 1) % 5] = _mm256_add_epi64(v->x[(i + 1) % 5], carry);
}

/* Two chains side by side; limbs below 2^59 before.  Limbs 1 and 4 end below
 * 2^26 + 2^12: they take the second carries of 0 and 3. */
static inline poly1305_avx2_vector poly1305_avx2_carry(poly1305_avx2_vector v)
{
    poly1305_avx2_carry1(&v, 3);
    poly1305_avx2_carry1(&v, 0);
    poly1305_avx2_carry1(&v, 4);
    poly1305_avx2_carry1(&v, 1);
    poly1305_avx2_carry1(&v, 0);
    poly1305_avx2_carry1(&v, 2);
    poly1305_avx2_carry1(&v, 3);
    return v;
}

/* The number in lane 0, in each lane. */
static inline poly1305_avx2_vector poly1305_avx2_lane0(poly1305_avx2_vector v)
{
    for (int i = 0; i < 5; i++)
        v.x[i] = _mm256_broadcastq_epi64(_mm256_castsi256_si128(v.x[i]));
    return v;
}

static inline uint64_t poly1305_avx2_lanes(__m256i v)
{
    __m128i sum = _mm_add_epi64(_mm256_castsi256_si128(v),
                                _mm256_extracti128_si256(v, 1));
    sum = _mm_add_epi64(sum, _mm_unpackhi_epi64(sum, sum));
    return (uint64_t)_mm_cvtsi128_si64(sum);
}

/* h = the sum over the lanes of v (r^4, r^2, r^3, r); limbs below 2^60, h[2]
 * below 2^37. */
static inline void poly1305_avx2_finish(uint64_t h[3], poly1305_avx2_vector v,
                                        poly1305_avx2_factor *last)
{
    uint64_t d[5];
    poly1305_u128 sum;

    v = poly1305_avx2_mul(v, last);
    for (int i = 0; i < 5; i++) d[i] = poly1305_avx2_lanes(v.x[i]);
    sum = ((poly1305_u128)d[2] << 52) + ((poly1305_u128)d[1] << 26) + d[0];
    h[0] = (uint64_t)sum;
    sum = ((poly1305_u128)d[4] << 40) + ((poly1305_u128)d[3] << 14)
          + (uint64_t)(sum >> 64);
    h[1] = (uint64_t)sum;
    h[2] = (uint64_t)(sum >> 64);
}

/* Four whole blocks. */
static inline poly1305_avx2_vector poly1305_avx2_load(const uint8_t *in)
{
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)in);
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(in + 32));

    return poly1305_avx2_split(_mm256_unpacklo_epi64(a, b),
                               _mm256_unpackhi_epi64(a, b),
                               _mm256_set1_epi64x(1 << 24));
}

static inline __m256i poly1305_avx2_two(__m128i low, __m128i high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/* h and `blocks` (1..4) blocks behind it as the first group; 64 bytes at `in`
 * can be read. */
static inline poly1305_avx2_vector
poly1305_avx2_load_first(const uint8_t *in, uint64_t blocks, const uint64_t h[3])
{
    /* Which lane goes where: the blocks 1, 3, 2, 4 of the load move to the end
     * of that order; negative: none. */
#define LANE(i) (2 * (i) | (2 * (i) + 1) * 0x100000000)
    static const int64_t from[4][4] = {{-1, -1, -1, LANE(0)},
                                       {-1, LANE(0), -1, LANE(2)},
                                       {-1, LANE(2), LANE(0), LANE(1)},
                                       {LANE(0), LANE(1), LANE(2), LANE(3)}};
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)in);
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(in + 32));
    __m256i lo = _mm256_unpacklo_epi64(a, b), hi = _mm256_unpackhi_epi64(a, b);
    __m256i top = _mm256_set1_epi64x(1 << 24), move, used, first;
    poly1305_avx2_vector v, start;

    move = _mm256_loadu_si256((const __m256i *)(const void *)from[blocks - 1]);
    used = _mm256_cmpgt_epi64(move, _mm256_set1_epi64x(-1));
    first = _mm256_cmpeq_epi64(move, _mm256_set1_epi64x(LANE(0)));
#undef LANE
    lo = _mm256_and_si256(_mm256_permutevar8x32_epi32(lo, move), used);
    hi = _mm256_and_si256(_mm256_permutevar8x32_epi32(hi, move), used);
    v = poly1305_avx2_split(lo, hi, _mm256_and_si256(top, used));
    if (!h) return v;
    lo = _mm256_and_si256(_mm256_set1_epi64x((int64_t)h[0]), first);
    hi = _mm256_and_si256(_mm256_set1_epi64x((int64_t)h[1]), first);
    top = _mm256_and_si256(_mm256_set1_epi64x((int64_t)(h[2] << 24)), first);
    start = poly1305_avx2_split(lo, hi, top);
    return poly1305_avx2_add(v, start);
}

/* The last group: 49..64 bytes, perhaps with a shorter last block, behind which
 * a one follows; or, with `lengths`, 33..48 bytes, zeroes up to a whole block
 * and those two words as another block (RFC 8439, section 2.8). */
static inline poly1305_avx2_vector
poly1305_avx2_load_last(const uint8_t *in, uint64_t length,
                        const uint64_t *lengths)
{
    /* Rows that start at 16 - rest: its last `rest` bytes moved to the front
     * of a vector; a one behind them. */
    static const uint8_t front[32] = {
        0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,
        11,   12,   13,   14,   15,   0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
        0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
    static const uint8_t behind[32] = {[16] = 1};
#define LOAD16(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
    uint64_t rest = (length - 1) % 16 + 1;
    __m128i end = _mm_shuffle_epi8(LOAD16(in + length - 16),
                                   LOAD16(front + 16 - rest));
    __m256i a = poly1305_avx2_two(LOAD16(in), LOAD16(in + 16)), b;
    int64_t top = 1 << 24;

    if (lengths) {
        b = poly1305_avx2_two(end, _mm_set_epi64x((int64_t)lengths[1],
                                                  (int64_t)lengths[0]));
    } else {
        end = _mm_or_si128(end, LOAD16(behind + 16 - rest));
        b = poly1305_avx2_two(LOAD16(in + 32), end);
        top = (int64_t)(rest / 16) << 24;
    }
#undef LOAD16
    return poly1305_avx2_split(
        _mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b),
        _mm256_setr_epi64x(1 << 24, 1 << 24, 1 << 24, top));
}

/* The end of a message after h (null: h = 0), into `h_out`: of more than 64
 * bytes; `lengths` as in poly1305_avx2_load_last.  powers: lanes r^4, r^2, r^3,
 * r.  h[2] <= 7 before, as poly1305_64_tag wants it after. */
static inline void poly1305_avx2_run(uint64_t h_out[3], const uint64_t h[3],
                                     poly1305_avx2_vector powers,
                                     const uint8_t *in, uint64_t length,
                                     const uint64_t *lengths)
{
    poly1305_avx2_factor last = poly1305_avx2_factor_of(powers);
    poly1305_avx2_factor r4 =
        poly1305_avx2_factor_of(poly1305_avx2_lane0(powers));
    uint64_t blocks = length / 16 + (length % 16 > 0) + (lengths != 0);
    uint64_t head = (blocks - 1) % 4 + 1, groups = (blocks - 1) / 4;
    poly1305_avx2_vector x = poly1305_avx2_load_first(in, head, h);

    in += 16 * head;
    length -= 16 * head;
    if (groups >= POLY1305_AVX2_PAIRS) {
        poly1305_avx2_vector v;
        POLY1305_AVX2_OPAQUE(&r4);
        memcpy(v.x, r4.x, sizeof v.x);
        poly1305_avx2_factor r8 = poly1305_avx2_factor_of(
            poly1305_avx2_carry(poly1305_avx2_mul(v, &r4)));
        for (; groups > 2; groups -= 2, in += 128, length -= 128) {
            v = poly1305_avx2_mul(poly1305_avx2_load(in), &r4);
            v = poly1305_avx2_carry(poly1305_avx2_mul_add(v, x, &r8));
            x = poly1305_avx2_add(v, poly1305_avx2_load(in + 64));
        }
    }
    for (; groups > 1; groups--, in += 64, length -= 64) {
        x = poly1305_avx2_carry(poly1305_avx2_mul(x, &r4));
        x = poly1305_avx2_add(x, poly1305_avx2_load(in));
    }
    x = poly1305_avx2_carry(poly1305_avx2_mul(x, &r4));
    x = poly1305_avx2_add(x, poly1305_avx2_load_last(in, length, lengths));
    poly1305_avx2_finish(h_out, x, &last);
}

#endif
