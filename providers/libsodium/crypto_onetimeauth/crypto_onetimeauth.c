/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libsodium's Poly1305: its key is r followed by the pad. <sodium.h> is not included, because its
 * crypto_onetimeauth_* names clash with ours. */
#include "crypto_onetimeauth.h"

#include <sodium/core.h>
#include <sodium/crypto_onetimeauth_poly1305.h>
#include <string.h>

void crypto_onetimeauth_expandkey(crypto_onetimeauth_key *expanded, const uint8_t *r)
{
    (void)sodium_init(); /* selects the implementation for this CPU */
    memcpy(expanded->r, r, sizeof expanded->r);
}

void crypto_onetimeauth_authenticate(uint8_t *tag, const uint8_t *message, uint64_t length, const uint8_t *s,
                                     const crypto_onetimeauth_key *expanded)
{
    uint8_t key[32];
    memcpy(key, expanded->r, 16);
    memcpy(key + 16, s, 16);
    crypto_onetimeauth_poly1305(tag, message, length, key);
}
