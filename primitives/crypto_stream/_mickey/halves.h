/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICKEY-128 2.0, clock by clock, each register in one 256-bit vector.
 *
 * As in words64, 64-bit lanes are overlapping windows on a register, which shift
 * without looking at each other; a clock spoils one bit at each end that lies
 * inside the register, and the overlaps are copied again in time.
 *
 *     lane      0          1          2          3
 *     R       0..63     96..159    40..103    96..159
 *     S      96..159     0..63     96..159    48..111
 *
 * What limits the speed is how soon the bits that control and feed back are
 * spread over all lanes: a permutation across the 128-bit halves takes 3 cycles,
 * a shuffle within them one.  So each half has its own copies of these bits; that
 * is why 96..159 is there twice.  And the order of the lanes is such that the two
 * bits of each sum lie in the same lane of R and of S:
 *
 *     lane 0  r_53 ^ s_106    lane 1  r_106 ^ s_54
 *     lane 2  r_53 ^ s_106    lane 3  r_106 ^ s_54
 *
 * One shift by lane takes them to the top, one XOR adds them, an arithmetic shift
 * of 32-bit lanes and a shuffle spread them.  r_159 and s_159 are at the top
 * already, so feedback is known before control, and what control decides comes
 * last: 5 cycles from one clock to the next if there are enough units.
 *
 * In the initialisation, s_80 has to cross.
 *
 * No branch or address depends on the key.  The nonce enters before the key, so
 * nothing is left to do in expandkey.
 *
 * The including file defines what differs between instruction sets:
 *   xor_and(a, b, c)         a ^ (b & c)
 *   xor_3(a, b, c)           a ^ b ^ c
 *   and_xor(a, b, c)         a & (b ^ c)
 *   patch(x, from)           byte i of x is replaced by byte from[i] of x where
 *                            from[i] >= 0 */

#include <immintrin.h>

#include "bytes.h"
#include "windows.h"

#define INLINE static inline __attribute__((always_inline))

INLINE __m256i xor_and(__m256i a, __m256i b, __m256i c);
INLINE __m256i xor_3(__m256i a, __m256i b, __m256i c);
INLINE __m256i and_xor(__m256i a, __m256i b, __m256i c);
INLINE __m256i patch(__m256i x, const int8_t from[32]);

struct registers {
    __m256i r, s;
};

INLINE __m256i windows_r(const uint32_t table[5])
{
    return _mm256_setr_epi64x(
        (long long)window(table, 0), (long long)window(table, 96),
        (long long)window(table, 40), (long long)window(table, 96));
}

INLINE __m256i windows_s(const uint32_t table[5])
{
    return _mm256_setr_epi64x(
        (long long)window(table, 96), (long long)window(table, 0),
        (long long)window(table, 96), (long long)window(table, 48));
}

/* The top bit of 32-bit lane 1 or 3 of each half, all over the half */
#define SPREAD_1(x) _mm256_srai_epi32(_mm256_shuffle_epi32(x, 0x55), 31)
#define SPREAD_3(x) _mm256_srai_epi32(_mm256_shuffle_epi32(x, 0xff), 31)

/* One clock.  The input is the top bit of each 32-bit lane of `input`. */
INLINE void clock_kg(struct registers *k, int mixing, __m256i input)
{
    const __m256i top_r = _mm256_setr_epi64x(63 - 53, 63 - 10, 63 - 13, 63 - 10);
    const __m256i top_s = _mm256_setr_epi64x(63 - 10, 63 - 54, 63 - 10, 63 - 6);
    const __m256i not_s_0 = _mm256_setr_epi64x(-1, -2, -1, -1);
    const __m256i mask = windows_r(MICKEY_R_MASK);
    const __m256i comp0 = _mm256_and_si256(windows_s(MICKEY_COMP0), not_s_0);
    const __m256i comp1 = windows_s(MICKEY_COMP1);
    const __m256i fb0 = windows_s(MICKEY_FB0);
    const __m256i fb0_fb1 = _mm256_xor_si256(fb0, windows_s(MICKEY_FB1));
    __m256i r = k->r, s = k->s;
    __m256i control = _mm256_srai_epi32(
        _mm256_xor_si256(_mm256_sllv_epi64(r, top_r), _mm256_sllv_epi64(s, top_s)),
        31);
    __m256i control_s = _mm256_shuffle_epi32(control, 0x55);
    __m256i control_r = _mm256_shuffle_epi32(control, 0xff);
    __m256i feedback_r, feedback_s, product, new_r, new_s;

    if (mixing) {
        __m256i s_80 = _mm256_permutevar8x32_epi32(s, _mm256_set1_epi32(7));
        feedback_r = _mm256_srai_epi32(xor_3(_mm256_shuffle_epi32(r, 0xff), input,
                                             _mm256_slli_epi32(s_80, 31)), 31);
        feedback_s = SPREAD_1(_mm256_xor_si256(s, input));
    } else {
        feedback_r = SPREAD_3(r);
        feedback_s = SPREAD_1(s);
    }

    new_r = xor_and(_mm256_add_epi64(r, r), feedback_r, mask);
    k->r = xor_and(new_r, control_r, r);

    /* (s ^ COMP0) & (s >> 1 ^ COMP1), nothing at s_0 */
    product = and_xor(xor_and(comp0, s, not_s_0), _mm256_srli_epi64(s, 1), comp1);
    new_s = _mm256_xor_si256(_mm256_add_epi64(s, s), product);
    k->s = xor_and(new_s, feedback_s, xor_and(fb0, control_s, fb0_fb1));
}

/* Due after 8 clocks: r_96 .. r_103 and r_40 .. r_47, from the windows below */
INLINE void mend_r(struct registers *k)
{
    static const int8_t FROM[32] = {
        -1, -1, -1, -1, -1, -1, -1, -1, 23, -1, -1, -1, -1, -1, -1, -1,
        5,  -1, -1, -1, -1, -1, -1, -1, 23, -1, -1, -1, -1, -1, -1, -1};

    k->r = patch(k->r, FROM);
}

/* Due after 6 clocks, to save s_54 in lane 3; done after 4 */
INLINE void mend_s(struct registers *k)
{
    static const int8_t FROM[32] = {
        30, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 25,
        30, -1, -1, -1, -1, -1, -1, -1, 14, -1, -1, -1, -1, -1, -1, 17};

    k->s = patch(k->s, FROM);
}

/* 8 clocks of the initialisation; the first input bit is the most significant. */
INLINE void mix8(struct registers *k, uint8_t byte)
{
    __m256i input = _mm256_set1_epi32((int)((uint32_t)byte << 24));

    for (unsigned i = 0; i < 8; i++) {
        clock_kg(k, 1, input);
        input = _mm256_slli_epi32(input, 1);
        if (i % 4 == 3) mend_s(k);
    }
    mend_r(k);
}

/* The keystream bits, r_0 ^ s_0, are collected by way of memory: it costs none of
 * the units that are busy. */
INLINE uint8_t next_byte(struct registers *k)
{
    const __m256i reversed = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    _Alignas(32) uint8_t r[36], s[36];
    __m256i z;

    for (unsigned i = 0; i < 8; i++) {
        __m128i low_r = _mm256_castsi256_si128(k->r);
        __m128d low_s = _mm256_castpd256_pd128(_mm256_castsi256_pd(k->s));
        double high;
        int32_t r_0 = _mm_cvtsi128_si32(low_r);
        memcpy(r + 4 * i, &r_0, 4);
        _mm_storeh_pd(&high, low_s);
        memcpy(s + 4 * i, &high, 8); /* the upper 4 bytes are overwritten */
        clock_kg(k, 0, _mm256_setzero_si256());
        if (i % 4 == 3) mend_s(k);
    }
    mend_r(k);
    z = _mm256_xor_si256(_mm256_load_si256((const __m256i *)r),
                         _mm256_load_si256((const __m256i *)s));
    z = _mm256_slli_epi32(_mm256_permutevar8x32_epi32(z, reversed), 31);
    return (uint8_t)_mm256_movemask_ps(_mm256_castsi256_ps(z));
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, sizeof expanded->key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    struct registers k = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    uint8_t input[16 + 16 + 160 / 8] = {0};

    (void)soon;
    memcpy(input, nonce, 16);
    memcpy(input + 16, expanded->key, 16);
    for (unsigned i = 0; i < sizeof input; i++) mix8(&k, input[i]);
    for (unsigned i = 0; i < crypto_stream_FIRSTBYTES; i++) first[i] = next_byte(&k);
    _mm256_store_si256((__m256i *)state->r, k.r);
    _mm256_store_si256((__m256i *)state->s, k.s);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    struct registers k = {
        _mm256_load_si256((const __m256i *)state->r),
        _mm256_load_si256((const __m256i *)state->s),
    };

    for (uint64_t i = 0; i < length; i++) out[i] = in[i] ^ next_byte(&k);
}
