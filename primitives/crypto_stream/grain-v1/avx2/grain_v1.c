/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Grain v1, 32 clocks at a time, both registers side by side in a vector.
 *
 * As in words64, a register is kept as overlapping 64-bit windows that start at
 * bits 0 and 32: every tap of 32 successive clocks is one right shift of one
 * window.  The new bits are computed in two passes, 16 being right after the first
 * one, and only what depends on b52, b60, b62, b63 (s51, s62) is in both passes.
 *
 * Here lane 0 is the nonlinear register b, lane 1 the linear register s, and AVX2
 * shifts each lane by its own count.  The linear feedback is the nonlinear one
 * with fewer terms: where it has a tap of its own, the lane has another count,
 * and where it has none, the count is 64, which shifts in zeros and lets the
 * product vanish.  So the linear register costs nothing.
 *
 * Three-operand instructions save the copies that take words64 half its time,
 * and with AVX-512VL the compiler finds three-operand logic.  The keystream,
 * which does not feed back, is computed for 256 clocks at once from the words that
 * left the registers.
 *
 * No branch or address depends on the key.  Nothing is left to do in expandkey. */

#include "crypto_stream.h"

#include <immintrin.h>

#include "bytes.h"

#define INLINE static inline __attribute__((always_inline))
#define XOR(a, b) _mm_xor_si128(a, b)
#define AND(a, b) _mm_and_si128(a, b)
#define ANDNOT(a, b) _mm_andnot_si128(a, b) /* ~a & b */

enum { NONE = 64, WORDS = 4 };

struct windows {
    __m128i from0, from32;
};

/* Bits b of the nonlinear register, bits s of the linear one */
INLINE __m128i tap(__m128i window, int b, int s)
{
    return _mm_srlv_epi64(window, _mm_set_epi64x(s, b));
}

INLINE void first_16(struct windows *w, __m128i new_bits)
{
    w->from32 = _mm_or_si128(w->from32, _mm_slli_epi64(new_bits, 48));
}

/* The same 16 and 16 more; forgets the oldest 32. */
INLINE void all_32(struct windows *w, __m128i new_bits)
{
    const __m128i mask = _mm_set1_epi64x(0xffffffff0000);

    w->from0 = w->from32;
    w->from32 = _mm_or_si128(_mm_srli_epi64(w->from32, 32),
                             AND(_mm_slli_epi64(new_bits, 16), mask));
}

/* The feedback as a polynomial in b52, b60, b62, b63 (in s51, s62) */
struct feedback {
    __m128i f_0, not_b52, not_b60_b52, not_b63_b60, b63_b60_b52, b63;
};

INLINE struct feedback feedback_begin(const struct windows *w)
{
    __m128i x = w->from0, y = w->from32;
    __m128i s0_to_b = _mm_srli_si128(x, 8);
    __m128i b9 = tap(x, 9, NONE), b14_s13 = tap(x, 14, 13), b15 = tap(x, 15, NONE);
    __m128i b21_s23 = tap(x, 21, 23), b28 = tap(x, 28, NONE);
    __m128i b33 = tap(y, 33 - 32, NONE), b37 = tap(y, 37 - 32, NONE);
    __m128i b45_s38 = tap(y, 45 - 32, 38 - 32);
    __m128i b33_b28_b21 = AND(AND(b28, b21_s23), b33), b15_b9 = AND(b15, b9);
    __m128i early = XOR(XOR(XOR(x, s0_to_b), XOR(b14_s13, b21_s23)),
                        XOR(XOR(b9, b15_b9), XOR(b28, b33)));
    struct feedback f;

    early = XOR(early, ANDNOT(b15_b9, b33_b28_b21));
    f.f_0 = XOR(early, XOR(b45_s38, ANDNOT(b33, b37)));
    f.b63_b60_b52 = AND(b45_s38, b37);
    f.not_b52 = AND(f.b63_b60_b52, b33_b28_b21);
    f.not_b60_b52 = XOR(b45_s38, AND(b37, b33));
    f.not_b63_b60 = AND(b21_s23, b15);
    f.b63 = AND(b45_s38, AND(b28, b9));
    return f;
}

INLINE __m128i feedback_end(const struct feedback *f, const struct windows *w)
{
    __m128i y = w->from32;
    __m128i b52_s51 = tap(y, 52 - 32, 51 - 32), b60 = tap(y, 60 - 32, NONE);
    __m128i b62_s62 = tap(y, 62 - 32, 62 - 32), b63 = tap(y, 63 - 32, NONE);
    __m128i b63_b60 = ANDNOT(XOR(f->not_b63_b60, AND(b52_s51, f->b63_b60_b52)),
                             AND(b63, b60));

    return XOR(XOR(XOR(f->f_0, ANDNOT(f->not_b52, b52_s51)),
                   XOR(b62_s62, AND(b63, f->b63))),
               XOR(ANDNOT(AND(b52_s51, f->not_b60_b52), b60), b63_b60));
}

INLINE void clock_32(struct windows *w)
{
    struct feedback f = feedback_begin(w);

    first_16(w, feedback_end(&f, w));
    all_32(w, feedback_end(&f, w));
}

/* The output in the initialisation, as a polynomial in b56, x3 = s64, x4 = b63.
 * The linear terms are in lane 0, h is in lane 1. */
struct output {
    __m128i z_0, x3, not_x4, not_x3_x4;
};

INLINE struct output output_begin(const struct windows *w)
{
    __m128i b1_x0 = tap(w->from0, 1, 3), b2_x1 = tap(w->from0, 2, 25);
    __m128i b4 = tap(w->from0, 4, NONE), b10 = tap(w->from0, 10, NONE);
    __m128i b31 = tap(w->from0, 31, NONE), b43_x2 = tap(w->from32, 43 - 32, 46 - 32);
    __m128i b_terms = XOR(XOR(XOR(b1_x0, b2_x1), b4), XOR(XOR(b10, b31), b43_x2));
    struct output o;

    o.z_0 = _mm_blend_epi32(b_terms, ANDNOT(AND(b1_x0, b43_x2), b2_x1), 0xc);
    o.x3 = _mm_or_si128(b1_x0, b43_x2);
    o.not_x4 = AND(b43_x2, XOR(b1_x0, b2_x1));
    o.not_x3_x4 = b43_x2;
    return o;
}

/* z in both lanes */
INLINE __m128i output_end(const struct output *o, const struct windows *w)
{
    const __m128i one_lane = _mm_set_epi64x(0, -1);
    __m128i b56_x3 = tap(w->from32, 56 - 32, 64 - 32);
    __m128i x4 = _mm_slli_si128(_mm_srli_epi64(w->from32, 63 - 32), 8);
    __m128i x3 = AND(b56_x3, _mm_or_si128(o->x3, one_lane)); /* or b56 */
    __m128i z = XOR(XOR(o->z_0, x3),
                    XOR(ANDNOT(o->not_x4, x4), ANDNOT(o->not_x3_x4, AND(b56_x3, x4))));

    return XOR(z, _mm_shuffle_epi32(z, 0x4e));
}

/* 32 clocks of the initialisation: the output goes into both registers. */
INLINE void mix_32(struct windows *w)
{
    struct feedback f = feedback_begin(w);
    struct output o = output_begin(w);

    first_16(w, XOR(feedback_end(&f, w), output_end(&o, w)));
    all_32(w, XOR(feedback_end(&f, w), output_end(&o, w)));
}

/* Bits t .. t+63 that begin in each of four successive words */
#define BITS(x, t)                                                             \
    _mm256_or_si256(                                                           \
        _mm256_srli_epi64(_mm256_loadu_si256((const __m256i *)(x)), t),        \
        _mm256_slli_epi64(_mm256_loadu_si256((const __m256i *)((x) + 1)), 64 - (t)))
#define XOR_4(a, b, c, d)                                                      \
    _mm256_xor_si256(_mm256_xor_si256(a, b), _mm256_xor_si256(c, d))

/* 64 clocks for each of the 1 to 4 words; the first bit is the least significant. */
INLINE __m256i next(struct windows *w, unsigned words)
{
    uint64_t b[WORDS + 1] = {0}, s[WORDS + 1] = {0};
    __m256i x0, x1, x2, x3, x4, z;

    for (unsigned i = 0;; i++) {
        _mm_storel_epi64((__m128i *)(b + i), w->from0);
        _mm_storel_epi64((__m128i *)(s + i), _mm_unpackhi_epi64(w->from0, w->from0));
        if (i == words) break;
        clock_32(w);
        clock_32(w);
    }
    x0 = BITS(s, 3), x1 = BITS(s, 25), x2 = BITS(s, 46);
    x3 = _mm256_loadu_si256((const __m256i *)(s + 1));
    x4 = BITS(b, 63);
    z = XOR_4(XOR_4(BITS(b, 1), BITS(b, 2), BITS(b, 4), BITS(b, 10)), BITS(b, 31),
              BITS(b, 43), BITS(b, 56));
    return XOR_4(
        _mm256_xor_si256(z, _mm256_and_si256(x3, _mm256_or_si256(x0, x2))),
        _mm256_andnot_si256(_mm256_and_si256(x0, x2), x1),
        _mm256_andnot_si256(_mm256_and_si256(x2, _mm256_xor_si256(x0, x1)), x4),
        _mm256_andnot_si256(x2, _mm256_and_si256(x3, x4)));
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, sizeof expanded->key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    uint64_t b = load_le64(expanded->key), b_16 = load_le64(expanded->key + 2);
    uint64_t s = load_le64(nonce), s_32 = s >> 32 | (uint64_t)0xffff << 32;
    struct windows w = {
        .from0 = _mm_set_epi64x((long long)s, (long long)b),
        .from32 = _mm_set_epi64x((long long)s_32, (long long)(b_16 >> 16)),
    };

    (void)soon;
    for (unsigned i = 0; i < 160; i += 32) mix_32(&w);
    _mm_storeu_si128((__m128i *)first, _mm256_castsi256_si128(next(&w, 2)));
    _mm_store_si128((__m128i *)state->from0, w.from0);
    _mm_store_si128((__m128i *)state->from32, w.from32);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    struct windows w = {
        .from0 = _mm_load_si128((const __m128i *)state->from0),
        .from32 = _mm_load_si128((const __m128i *)state->from32),
    };

    for (; length >= 32; length -= 32, out += 32, in += 32) {
        __m256i m = _mm256_loadu_si256((const __m256i *)in);
        _mm256_storeu_si256((__m256i *)out, _mm256_xor_si256(m, next(&w, WORDS)));
    }
    if (length > 0) {
        uint8_t last[32];
        _mm256_storeu_si256((__m256i *)last, next(&w, (unsigned)(length + 7) / 8));
        xor_bytes(out, in, last, length);
    }
}
