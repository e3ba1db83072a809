/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The rolling implementation with one loop of IV set-up in vectors: a byte
 * permute of two registers looks up 64 bytes in half of IP, so the 256 look-ups
 * that start P are eight instructions and four blends. */

#include <immintrin.h>

#include "key_setup.h"

#define PY_FILL
static void fill(uint8_t *p, uint8_t v, uint8_t d)
{
    static const uint8_t count[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
        32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
        48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    };
    __m512i ip[4];
    for (int i = 0; i < 4; i++) ip[i] = _mm512_loadu_si512(py_permutation + 64 * i);

    /* at = v + d * (0..63) in bytes: products of words, for odd and even bytes */
    const __m512i low = _mm512_set1_epi16(255), dd = _mm512_set1_epi16(d);
    __m512i at = _mm512_loadu_si512(count);
    __m512i even = _mm512_mullo_epi16(_mm512_and_si512(at, low), dd);
    __m512i odd = _mm512_mullo_epi16(_mm512_andnot_si512(low, at), dd);
    at = _mm512_mask_blend_epi8(0x5555555555555555, odd, even);
    at = _mm512_add_epi8(at, _mm512_set1_epi8((char)v));

    for (int i = 0; i < 256; i += 64) {
        __m512i a = _mm512_permutex2var_epi8(ip[0], at, ip[1]);
        __m512i b = _mm512_permutex2var_epi8(ip[2], at, ip[3]);
        a = _mm512_mask_blend_epi8(_mm512_movepi8_mask(at), a, b);
        _mm512_storeu_si512(p + i, a);
        at = _mm512_add_epi8(at, _mm512_set1_epi8((char)(uint8_t)(64 * d)));
    }
}

#include "rolling.h"
