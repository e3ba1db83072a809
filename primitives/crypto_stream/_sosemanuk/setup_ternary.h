/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SOSEMANUK_SETUP_TERNARY_H
#define SOSEMANUK_SETUP_TERNARY_H

/* Nonce set-up of SOSEMANUK: Serpent24 on the first lane of vectors, for the
 * sake of AVX-512's three-input instruction: a round is 8 operations deep. */

#include "key.h"
#include "ternary.h"

#define XOR3(a, b, c) _mm_ternarylogic_epi32(a, b, c, 0x96)
#define K(r, i) _mm_set1_epi32((int)k[r][i])
#define WORD(x) ((uint32_t)_mm_cvtsi128_si32(x))

/* S-box and linear transformation of round r, and the next round's subkey */
#define SERPENT_ROUND(r, s)                                                    \
    TERNARY_S(mm, s)                                                           \
    x0 = _mm_rol_epi32(x0, 13);                                                \
    x2 = _mm_rol_epi32(x2, 3);                                                 \
    x1 = _mm_rol_epi32(XOR3(x1, x0, x2), 1);                                   \
    x3 = _mm_rol_epi32(XOR3(x3, x2, _mm_slli_epi32(x0, 3)), 7);                \
    x0 = _mm_xor_si128(x0, K((r) + 1, 0));                                     \
    x0 = _mm_rol_epi32(XOR3(x0, x1, x3), 5);                                   \
    x2 = _mm_xor_si128(x2, K((r) + 1, 2));                                     \
    x2 = _mm_rol_epi32(XOR3(x2, _mm_slli_epi32(x1, 7), x3), 22);               \
    x1 = _mm_xor_si128(x1, K((r) + 1, 1));                                     \
    x3 = _mm_xor_si128(x3, K((r) + 1, 3));

static inline void setup(crypto_stream_state *z, const uint8_t *nonce,
                         const crypto_stream_key *expanded)
{
    const uint32_t(*k)[4] = expanded->k;
    uint32_t *a = z->a;
    __m128i x0 = _mm_set1_epi32((int)(load_le32(nonce) ^ k[0][0]));
    __m128i x1 = _mm_set1_epi32((int)(load_le32(nonce + 4) ^ k[0][1]));
    __m128i x2 = _mm_set1_epi32((int)(load_le32(nonce + 8) ^ k[0][2]));
    __m128i x3 = _mm_set1_epi32((int)(load_le32(nonce + 12) ^ k[0][3]));
    SERPENT_ROUND(0, 0) SERPENT_ROUND(1, 1) SERPENT_ROUND(2, 2) SERPENT_ROUND(3, 3)
    SERPENT_ROUND(4, 4) SERPENT_ROUND(5, 5) SERPENT_ROUND(6, 6) SERPENT_ROUND(7, 7)
    SERPENT_ROUND(8, 0) SERPENT_ROUND(9, 1) SERPENT_ROUND(10, 2) SERPENT_ROUND(11, 3)
    a[6] = WORD(x3) ^ k[12][3], a[7] = WORD(x2) ^ rotl32(k[12][2], 22);
    a[8] = WORD(x1) ^ k[12][1], a[9] = WORD(x0) ^ rotl32(k[12][0], 5);
    SERPENT_ROUND(12, 4) SERPENT_ROUND(13, 5) SERPENT_ROUND(14, 6) SERPENT_ROUND(15, 7)
    SERPENT_ROUND(16, 0) SERPENT_ROUND(17, 1)
    a[4] = WORD(x1) ^ k[18][1], a[5] = WORD(x3) ^ k[18][3];
    z->r1 = WORD(x0) ^ rotl32(k[18][0], 5);
    z->r2 = WORD(x2) ^ rotl32(k[18][2], 22);
    SERPENT_ROUND(18, 2) SERPENT_ROUND(19, 3) SERPENT_ROUND(20, 4) SERPENT_ROUND(21, 5)
    SERPENT_ROUND(22, 6) SERPENT_ROUND(23, 7)
    a[0] = WORD(x3), a[1] = WORD(x2), a[2] = WORD(x1), a[3] = WORD(x0);
}

#endif
