/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Poly1305 to be read beside RFC 8439, section 2.5: portable, five limbs of
 * 26 bits, one block at a time. */

#include "crypto_onetimeauth.h"

#include "../../_poly1305/ref.h"

void crypto_onetimeauth_expandkey(crypto_onetimeauth_key *expanded,
                                  const uint8_t *r)
{
    poly1305_ref_clamp(expanded->r, r);
}

void crypto_onetimeauth_authenticate(uint8_t *tag, const uint8_t *message,
                                     uint64_t length, const uint8_t *s,
                                     const crypto_onetimeauth_key *expanded)
{
    uint32_t h[5] = {0};

    poly1305_ref_message(h, expanded->r, message, length);
    poly1305_ref_tag(tag, h, s);
}
