/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Trivium, 64 clocks at a time, the three registers in three 64-bit lanes of one
 * vector.
 *
 * As in words64, a register is the sequence of the bits that entered it, cut
 * into words.  The same operations serve the three registers; only the depths
 * of the taps differ, and AVX2 shifts each lane by its own count.
 *
 * Register A feeds B, B feeds C, C feeds A.  To move each result into the lane
 * of its register would put a lane crossing (3 cycles) between any two steps.
 * So the result stays where it was computed, and it is the shift counts that
 * rotate, with period 3: in phase p, lane i holds register (p + i) mod 3.  What
 * has to cross lanes is one tap and older words, with time to spare.
 *
 * The including file defines deep(), the only thing that differs between
 * instruction sets:
 *   deep(now, before, depth)   per lane: the 64 bits `depth` places deep in the
 *                              sequence that ends in before, now */

#include <immintrin.h>

#include "bytes.h"

#define INLINE static inline __attribute__((always_inline))

enum tap { SUM_1, PRODUCT_1, PRODUCT_2, SUM_2, CROSS, TAPS };

/* Depths of the taps: row r, taps of register r; CROSS is the one that lies in
 * the register it feeds, B, C or A. */
static const uint8_t DEPTH[3][TAPS] = {
    {66, 91, 92, 93, 78}, {69, 82, 83, 84, 87}, {66, 109, 110, 111, 69}};

INLINE __m256i depths(unsigned phase, enum tap tap)
{
    return _mm256_setr_epi64x(DEPTH[phase % 3][tap], DEPTH[(phase + 1) % 3][tap],
                              DEPTH[(phase + 2) % 3][tap], 64);
}

INLINE __m256i deep(__m256i now, __m256i before, __m256i depth);

struct lanes {
    __m256i now;    /* the newest words */
    __m256i before; /* the words before them, aligned lane by lane with now */
};

/* Lane i takes over from lane i + 1: aligns the words of one step with those
 * of the next one. */
INLINE __m256i rotate(__m256i x)
{
    return _mm256_permute4x64_epi64(x, _MM_SHUFFLE(3, 0, 2, 1));
}

/* 64 clocks; the XOR of the four lanes of the result is the keystream. */
INLINE __m256i step(struct lanes *s, unsigned phase)
{
    __m256i rotated = rotate(s->now);
    __m256i sum = _mm256_xor_si256(deep(s->now, s->before, depths(phase, SUM_1)),
                                   deep(s->now, s->before, depths(phase, SUM_2)));
    __m256i product =
        _mm256_and_si256(deep(s->now, s->before, depths(phase, PRODUCT_1)),
                         deep(s->now, s->before, depths(phase, PRODUCT_2)));
    __m256i cross = deep(rotated, rotate(s->before), depths(phase, CROSS));

    s->now = _mm256_xor_si256(_mm256_xor_si256(sum, product), cross);
    s->before = rotated;
    return sum;
}

/* 128 clocks, the first 64 of them in the given phase */
INLINE __m128i next128(struct lanes *s, unsigned phase)
{
    __m256i first = step(s, phase);
    __m256i second = step(s, phase + 1);
    __m256i both = _mm256_xor_si256(_mm256_unpacklo_epi64(first, second),
                                    _mm256_unpackhi_epi64(first, second));

    return _mm_xor_si128(_mm256_castsi256_si128(both),
                         _mm256_extracti128_si256(both, 1));
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, sizeof expanded->key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    const uint8_t *key = expanded->key;
    struct lanes s = {
        .now = _mm256_setr_epi64x((long long)load_le64(key + 2),
                                  (long long)load_le64(nonce + 2), 0, 0),
        .before = _mm256_setr_epi64x((long long)(load_le64(key) << 48),
                                     (long long)(load_le64(nonce) << 48),
                                     7 << 17, 0),
    };

    (void)soon;
    for (unsigned i = 0; i < 4 * 288 / 64; i += 3) {
        step(&s, 0);
        step(&s, 1);
        step(&s, 2);
    }
    _mm_storeu_si128((__m128i *)first, next128(&s, 0));
    _mm256_store_si256((__m256i *)state->now, s.now);
    _mm256_store_si256((__m256i *)state->before, s.before);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    struct lanes s = {
        .now = _mm256_load_si256((const __m256i *)state->now),
        .before = _mm256_load_si256((const __m256i *)state->before),
    };
    uint8_t last[16];
    __m128i z;

    for (;;) {
#define TAKE(phase)                                                            \
        if (length == 0) return;                                               \
        z = next128(&s, phase);                                                \
        if (length < 16) break;                                                \
        z = _mm_xor_si128(z, _mm_loadu_si128((const __m128i *)in));            \
        _mm_storeu_si128((__m128i *)out, z);                                   \
        length -= 16, out += 16, in += 16
        TAKE(2);
        TAKE(1);
        TAKE(0);
#undef TAKE
    }
    _mm_storeu_si128((__m128i *)last, z);
    xor_bytes(out, in, last, length);
}
