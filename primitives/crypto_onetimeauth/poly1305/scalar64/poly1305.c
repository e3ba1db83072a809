/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Poly1305 for 64-bit machines in general: two 64-bit words, 128-bit sums,
 * carries folded lazily (see _poly1305/scalar64.h).  The expanded key is r
 * itself, 16 bytes. */

#include "crypto_onetimeauth.h"

#include "../../_poly1305/scalar64.h"

void crypto_onetimeauth_expandkey(crypto_onetimeauth_key *expanded,
                                  const uint8_t *r)
{
    poly1305_64_clamp(expanded->r, r);
}

void crypto_onetimeauth_authenticate(uint8_t *tag, const uint8_t *message,
                                     uint64_t length, const uint8_t *s,
                                     const crypto_onetimeauth_key *expanded)
{
    uint64_t h[3] = {0};

    poly1305_64_message(h, expanded->r, message, length);
    poly1305_64_tag(tag, h, s);
}
