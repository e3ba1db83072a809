/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Poly1305 with AVX2, four blocks at a time (see _poly1305/avx2.h); short
 * messages go one block at a time through the 64-bit multiplier.
 *
 * The expanded key holds r^4, ..., r as packed 130-bit numbers, 72 bytes: they
 * are cut into limbs with a few instructions for each message (limbs would
 * take 80 bytes beside r itself), and r^8, which only long messages use, is
 * one more multiplication there. */

#include "crypto_onetimeauth.h"

#include "../../_poly1305/avx2.h"

#ifndef POLY1305_AVX2_SHORT
#define POLY1305_AVX2_SHORT 112 /* bytes up to which single blocks are faster */
#endif

void crypto_onetimeauth_expandkey(crypto_onetimeauth_key *expanded,
                                  const uint8_t *r)
{
    static const uint8_t place[4] = {3, 1, 2, 0}; /* of r, r^2, r^3, r^4 */
    uint64_t clamped[2], h[3] = {1};

    poly1305_64_clamp(clamped, r);
    for (int i = 0; i < 4; i++) {
        poly1305_64_mul(h, clamped);
        expanded->lo[place[i]] = h[0];
        expanded->hi[place[i]] = h[1];
        expanded->top[place[i]] = (uint8_t)h[2];
    }
}

void crypto_onetimeauth_authenticate(uint8_t *tag, const uint8_t *message,
                                     uint64_t length, const uint8_t *s,
                                     const crypto_onetimeauth_key *expanded)
{
    if (length <= POLY1305_AVX2_SHORT) {
        uint64_t h[3] = {0}, r[2] = {expanded->lo[3], expanded->hi[3]};
        poly1305_64_message(h, r, message, length);
        poly1305_64_tag(tag, h, s);
        return;
    }

    uint64_t h[3];
    const uint8_t *top = expanded->top;
    poly1305_avx2_vector powers = poly1305_avx2_split(
        _mm256_loadu_si256((const __m256i *)(const void *)expanded->lo),
        _mm256_loadu_si256((const __m256i *)(const void *)expanded->hi),
        _mm256_setr_epi64x(top[0] << 24, top[1] << 24, top[2] << 24,
                           top[3] << 24));
    poly1305_avx2_run(h, 0, powers, message, length, 0);
    poly1305_64_tag(tag, h, s);
}
