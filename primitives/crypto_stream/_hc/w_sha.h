/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef HC_W_SHA_H
#define HC_W_SHA_H

/* The expansion W[16..count-1] from W[0..15], count a multiple of 16.  Up to
 * the "+ i" it is the message schedule of SHA-256 (FIPS 180-4, section
 * 6.2.2), for which x86 has two instructions: four words at a time.  They have
 * no VEX encoding: between VEX-encoded ones, with upper halves of the registers
 * in use, each costs a state transition.  Hence a function of its own, which
 * begins with them clear. */

#include <immintrin.h>
#include <stdint.h>

/* a, b, c, d hold W[i-16..i-1]; W[i..i+3] takes the place of a. */
#define W_FOUR(a, b, c, d)                                                     \
    a = _mm_add_epi32(_mm_sha256msg1_epu32(a, b), index);                      \
    a = _mm_add_epi32(a, _mm_alignr_epi8(d, c, 4));                            \
    a = _mm_sha256msg2_epu32(a, d);                                            \
    index = _mm_add_epi32(index, _mm_set1_epi32(4));                           \
    _mm_storeu_si128(to++, a);

__attribute__((noinline)) static void expand(uint32_t *w, uint32_t count)
{
#ifdef __AVX__
    _mm256_zeroupper();
#endif
    __m128i *to = (__m128i *)w, *end = (__m128i *)(w + count);
    __m128i a = _mm_loadu_si128(to++), b = _mm_loadu_si128(to++);
    __m128i c = _mm_loadu_si128(to++), d = _mm_loadu_si128(to++);
    __m128i index = _mm_setr_epi32(16, 17, 18, 19);
    while (to != end) {
        W_FOUR(a, b, c, d) W_FOUR(b, c, d, a) W_FOUR(c, d, a, b) W_FOUR(d, a, b, c)
    }
}

#endif
