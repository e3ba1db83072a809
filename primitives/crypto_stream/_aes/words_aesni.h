/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AES_WORDS_AESNI_H
#define AES_WORDS_AESNI_H

/* What everything built on the AES-NI instructions begins with.  Gueron, "Intel
 * Advanced Encryption Standard (AES) New Instructions Set" (2010). */

#include <immintrin.h>
#include <stdint.h>

#define AES_INLINE static inline __attribute__((always_inline))

/* Before a loop over an array of registers: the array must dissolve. */
#if defined(__clang__)
#define AES_UNROLL _Pragma("clang loop unroll(full)")
#else
#define AES_UNROLL _Pragma("GCC unroll 16")
#endif

AES_INLINE __m128i aes_load(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

AES_INLINE void aes_store(void *p, __m128i x)
{
    _mm_storeu_si128((__m128i *)p, x);
}

/* (a, b, c, d) -> (a, a+b, a+b+c, a+b+c+d): the chain of XORs inside four words. */
AES_INLINE __m128i aes_prefix_xor(__m128i x)
{
    x = _mm_xor_si128(x, _mm_slli_si128(x, 4));
    return _mm_xor_si128(x, _mm_slli_si128(x, 8));
}

/* SubWord of the word that `pick` takes from last, plus rcon: aeskeygenassist is
 * microcoded on many machines; on a state of four equal columns ShiftRows does
 * nothing, so aesenclast is SubWord. */
AES_INLINE __m128i aes_subword(__m128i last, __m128i pick, uint32_t rcon)
{
    return _mm_aesenclast_si128(_mm_shuffle_epi8(last, pick), _mm_set1_epi32((int)rcon));
}

#endif
