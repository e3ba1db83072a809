/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Grain-128, 64 clocks at a time, both registers side by side in a vector.
 *
 * As in words64, the feedbacks are computed for 64 clocks with zeros in place of
 * the bits not known yet, and what the new bits owe to each other is added.
 *
 * Here lane 0 is the nonlinear register b, lane 1 the linear register s.  With
 * AVX-512 VBMI2 a tap is one double-width shift, each lane by its own count
 * (vpshrdvq), or, for the deep half of a register, one shift (vpsrlvq), which takes
 * 64 as the count of a tap that one of the registers does not have.  The linear
 * feedback is the nonlinear one with other counts and fewer terms.  The
 * compiler finds three-operand logic (vpternlogq); clang 14 makes two shifts and
 * an OR of double-width shifts by constants, and is slower than gcc 12 here.
 *
 * The keystream, which does not feed back, is computed for 256 clocks at once from
 * the words that the registers went through.
 *
 * No branch or address depends on the key.  Nothing is left to do in expandkey. */

#include "crypto_stream.h"

#include <immintrin.h>

#include "bytes.h"

#define INLINE static inline __attribute__((always_inline))
#define XOR(a, b) _mm_xor_si128(a, b)
#define AND(a, b) _mm_and_si128(a, b)
#define OR(a, b) _mm_or_si128(a, b)
#define SWAP(a) _mm_shuffle_epi32(a, 0x4e)

enum { NONE = 64, WORDS = 4 };

/* Bits 0..63 and 64..127 */
struct registers {
    __m128i from0, from64;
};

/* In all that follows: count b in lane 0, count s in lane 1 */
INLINE __m128i counts(int b, int s)
{
    return _mm_set_epi64x(s, b);
}

/* Taps 0 < b, s < 64 of the 128 bits low, high */
INLINE __m128i tap(__m128i low, __m128i high, int b, int s)
{
    return _mm_shrdv_epi64(low, high, counts(b, s));
}

INLINE __m128i right(__m128i x, int b, int s)
{
    return _mm_srlv_epi64(x, counts(b, s));
}

INLINE __m128i left(__m128i x, int b, int s)
{
    return _mm_sllv_epi64(x, counts(b, s));
}

struct feedback {
    __m128i known, b3, b61, b68;
};

/* The feedback except what the new bits owe to each other, and the factors by
 * which they will enter */
INLINE struct feedback feedback_begin(const struct registers *k)
{
    const __m128i lane_b = _mm_set_epi64x(0, -1), lane_s = _mm_set_epi64x(-1, 0);
    __m128i x = k->from0, y = k->from64;
    __m128i s0_to_b = _mm_srli_si128(x, 8);
    __m128i b3 = _mm_shrdi_epi64(x, y, 3), b61 = _mm_shrdi_epi64(x, y, 61);
    __m128i b68 = right(y, 68 - 64, NONE);
    __m128i only_b, linear, both;
    struct feedback f;

    only_b = XOR(XOR(AND(_mm_shrdi_epi64(x, y, 11), _mm_shrdi_epi64(x, y, 13)),
                     AND(_mm_shrdi_epi64(x, y, 17), _mm_shrdi_epi64(x, y, 18))),
                 XOR(AND(_mm_shrdi_epi64(x, y, 27), _mm_shrdi_epi64(x, y, 59)),
                     AND(_mm_shrdi_epi64(x, y, 40), _mm_shrdi_epi64(x, y, 48))));
    linear = XOR(XOR(XOR(x, s0_to_b), XOR(tap(x, y, 26, 7), tap(x, y, 56, 38))),
                 XOR(XOR(right(y, 91 - 64, 70 - 64), right(y, NONE, 81 - 64)),
                     _mm_srli_epi64(y, 96 - 64)));
    both = XOR(XOR(AND(b3, right(y, 67 - 64, NONE)), AND(b61, right(y, 65 - 64, NONE))),
               AND(b68, right(y, 84 - 64, NONE)));
    f.known = XOR(XOR(linear, both), AND(only_b, lane_b));
    f.b3 = b3;
    f.b61 = b61;
    f.b68 = OR(b68, lane_s);
    return f;
}

/* Of n, the low 32 bits are right.  They enter at b96, b91, b84 (b68), b67, b65
 * and at s96, s81, s70. */
INLINE __m128i feedback_rest(const struct feedback *f, __m128i n)
{
    __m128i b68 = OR(f->b68, left(n, 60, NONE));

    return XOR(XOR(XOR(_mm_slli_epi64(n, 32), left(n, 37, 47)),
                   XOR(AND(left(n, 61, NONE), f->b3), AND(left(n, 63, NONE), f->b61))),
               AND(left(n, 44, 58), b68));
}

INLINE void slide(struct registers *k, __m128i next)
{
    k->from0 = k->from64;
    k->from64 = next;
}

INLINE void clock_64(struct registers *k)
{
    struct feedback f = feedback_begin(k);

    slide(k, XOR(f.known, feedback_rest(&f, f.known)));
}

/* The output in the initialisation: what the next bits do not change ... */
struct output {
    __m128i known, b12, s42, s60;
};

INLINE struct output output_begin(const struct registers *k)
{
    __m128i x = k->from0, y = k->from64;
    __m128i b2_s13 = tap(x, y, 2, 13), b15_s20 = tap(x, y, 15, 20);
    __m128i b36_s60 = tap(x, y, 36, 60), b45_s42 = tap(x, y, 45, 42);
    __m128i b12_s8 = tap(x, y, 12, 8);
    __m128i lane_b = XOR(XOR(XOR(b2_s13, b15_s20), XOR(b36_s60, b45_s42)), y);
    __m128i lane_s = AND(b2_s13, b15_s20);
    struct output o;

    o.b12 = SWAP(b12_s8); /* in lane 1 */
    lane_s = XOR(lane_s, AND(o.b12, b12_s8));
    o.known = _mm_blend_epi32(lane_b, lane_s, 0xc);
    o.s42 = b45_s42;
    o.s60 = b36_s60;
    return o;
}

/* ... and all of it, in both lanes */
INLINE __m128i output_end(const struct output *o, const struct registers *k,
                          __m128i next)
{
    const __m128i one_lane_b = _mm_set_epi64x(0, -1);
    __m128i b73_s79 = tap(k->from64, next, 73 - 64, 79 - 64);
    __m128i b89_s93 = tap(k->from64, next, 89 - 64, 93 - 64);
    __m128i s95 = _mm_shrdi_epi64(k->from64, next, 95 - 64);
    __m128i b95 = _mm_bslli_si128(s95, 8);
    __m128i h = AND(b95, XOR(o->s42, AND(o->b12, s95)));
    __m128i z = XOR(XOR(o->known, b89_s93),
                    XOR(AND(b73_s79, OR(o->s60, one_lane_b)), h));

    return XOR(z, SWAP(z));
}

/* 64 clocks of the initialisation: the output goes into both registers.  The
 * first output serves the first 32 clocks, the second one all. */
INLINE void mix_64(struct registers *k)
{
    const __m128i low = _mm_set1_epi64x(0xffffffff);
    struct feedback f = feedback_begin(k);
    struct output o = output_begin(k);
    __m128i n = XOR(f.known, output_end(&o, k, _mm_setzero_si128()));

    n = AND(n, low);
    slide(k, XOR(XOR(f.known, output_end(&o, k, n)), feedback_rest(&f, n)));
}

#define WORD(x, i) _mm256_loadu_si256((const __m256i *)((x) + (i)))
/* Bits t .. t+63, counted from each of four successive words */
#define BITS(x, t) _mm256_shrdi_epi64(WORD(x, (t) / 64), WORD(x, (t) / 64 + 1), (t) % 64)
#define AND_256(a, b) _mm256_and_si256(a, b)
#define XOR_3(a, b, c) _mm256_xor_si256(_mm256_xor_si256(a, b), c)

/* 64 clocks for each of the 1 to 4 words; the first bit is the least significant. */
INLINE __m256i next(struct registers *k, unsigned words)
{
    uint64_t b[WORDS + 2] = {0}, s[WORDS + 2] = {0};
    __m256i b12, b95, linear, h;

    _mm_storel_epi64((__m128i *)b, k->from0);
    _mm_storel_epi64((__m128i *)s, SWAP(k->from0));
    for (unsigned i = 1;; i++) {
        _mm_storel_epi64((__m128i *)(b + i), k->from64);
        _mm_storel_epi64((__m128i *)(s + i), SWAP(k->from64));
        if (i == words + 1) break;
        clock_64(k);
    }
    linear = XOR_3(XOR_3(BITS(b, 2), BITS(b, 15), BITS(b, 36)),
                   XOR_3(BITS(b, 45), WORD(b, 1), BITS(b, 73)),
                   _mm256_xor_si256(BITS(b, 89), BITS(s, 93)));
    b12 = BITS(b, 12);
    b95 = BITS(b, 95);
    h = XOR_3(AND_256(b12, BITS(s, 8)), AND_256(BITS(s, 13), BITS(s, 20)),
              AND_256(BITS(s, 60), BITS(s, 79)));
    return XOR_3(linear, h,
                 AND_256(b95, _mm256_xor_si256(BITS(s, 42), AND_256(b12, BITS(s, 95)))));
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, sizeof expanded->key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    uint64_t b0 = load_le64(expanded->key), b64 = load_le64(expanded->key + 8);
    uint64_t s0 = load_le64(nonce);
    uint64_t s64 = load_le32(nonce + 8) | (uint64_t)0xffffffff << 32;
    struct registers k = {
        .from0 = _mm_set_epi64x((long long)s0, (long long)b0),
        .from64 = _mm_set_epi64x((long long)s64, (long long)b64),
    };

    (void)soon;
    for (unsigned i = 0; i < 256; i += 64) mix_64(&k);
    _mm_storeu_si128((__m128i *)first, _mm256_castsi256_si128(next(&k, 2)));
    _mm_store_si128((__m128i *)state->from0, k.from0);
    _mm_store_si128((__m128i *)state->from64, k.from64);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    struct registers k = {
        .from0 = _mm_load_si128((const __m128i *)state->from0),
        .from64 = _mm_load_si128((const __m128i *)state->from64),
    };

    for (; length >= 32; length -= 32, out += 32, in += 32) {
        __m256i m = _mm256_loadu_si256((const __m256i *)in);
        _mm256_storeu_si256((__m256i *)out, _mm256_xor_si256(m, next(&k, WORDS)));
    }
    if (length > 0) {
        uint8_t last[32];
        _mm256_storeu_si256((__m256i *)last, next(&k, (unsigned)(length + 7) / 8));
        xor_bytes(out, in, last, length);
    }
}
