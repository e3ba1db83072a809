/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Poly1305 with AVX-512 IFMA, eight blocks at a time (see _poly1305/ifma.h).
 *
 * The expanded key holds r^8, ..., r as packed 130-bit numbers, 136 bytes: they
 * are cut into limbs with a few instructions while the message is (192 bytes
 * of limbs would save nothing), and r^16, which only long messages use, is one
 * more multiplication there. */

#include "crypto_onetimeauth.h"

#include "../../_poly1305/ifma.h"

#ifndef POLY1305_IFMA_SHORT
#define POLY1305_IFMA_SHORT 64 /* bytes up to which single blocks are faster */
#endif

void crypto_onetimeauth_expandkey(crypto_onetimeauth_key *expanded,
                                  const uint8_t *r)
{
    uint64_t clamped[2], h[3];

    poly1305_64_clamp(clamped, r);
    h[0] = clamped[0];
    h[1] = clamped[1];
    h[2] = 0;
    for (int i = 7; i >= 0; i--) {
        expanded->lo[i] = h[0];
        expanded->hi[i] = h[1];
        expanded->top[i] = (uint8_t)h[2];
        poly1305_64_mul(h, clamped);
    }
}

void crypto_onetimeauth_authenticate(uint8_t *tag, const uint8_t *message,
                                     uint64_t length, const uint8_t *s,
                                     const crypto_onetimeauth_key *expanded)
{
    if (length <= POLY1305_IFMA_SHORT) {
        uint64_t h[3] = {0}, r[2] = {expanded->lo[7], expanded->hi[7]};
        poly1305_64_message(h, r, message, length);
        poly1305_64_tag(tag, h, s);
        return;
    }

    uint64_t h[3];
    poly1305_ifma_vector powers = poly1305_ifma_split(
        _mm512_loadu_si512(expanded->lo), _mm512_loadu_si512(expanded->hi),
        _mm512_cvtepu8_epi64(
            _mm_loadl_epi64((const __m128i *)(const void *)expanded->top)));
    poly1305_ifma_run(h, 0, powers, message, length, 0);
    poly1305_64_tag(tag, h, s);
}
