/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AEGIS_ROUND_AESNI_H
#define AEGIS_ROUND_AESNI_H

/* AESRound(in, rk) of draft-irtf-cfrg-aegis-aead is the instruction aesenc. */

#include <immintrin.h>
#include <stdint.h>

#define AEGIS_INLINE static inline __attribute__((always_inline))

/* Before a loop over an array of registers: the array must dissolve. */
#if defined(__clang__)
#define AEGIS_UNROLL _Pragma("clang loop unroll(full)")
#else
#define AEGIS_UNROLL _Pragma("GCC unroll 16")
#endif

typedef __m128i aegis_block;

#define aegis_round(in, rk) _mm_aesenc_si128(in, rk)
#define aegis_xor(x, y) _mm_xor_si128(x, y)
#define aegis_and(x, y) _mm_and_si128(x, y)
#define aegis_load(in) _mm_loadu_si128((const __m128i *)(in))
#define aegis_store(out, x) _mm_storeu_si128((__m128i *)(out), x)

#endif
