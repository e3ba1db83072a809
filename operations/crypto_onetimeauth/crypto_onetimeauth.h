/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_ONETIMEAUTH_H
#define CRYPTO_ONETIMEAUTH_H

/* crypto_onetimeauth: an authenticator T = H_r(m) + s with a long-term key r and a one-time pad s
 * that the caller supplies, such as Poly1305 (Bernstein, "The Poly1305-AES message-authentication
 * code", FSE 2005).
 *
 * An implementation is a folder with
 *
 *   crypto_onetimeauth_types.h   typedef struct { ... } crypto_onetimeauth_key;
 *   *.c, *.cc, *.S               the two functions below, nothing else global
 *
 * crypto_onetimeauth_KEYBYTES (r), crypto_onetimeauth_PADBYTES (s) and crypto_onetimeauth_TAGBYTES
 * come from primitive.toml. Pointers may have any alignment; lengths are in bytes. No heap, no
 * mutable globals. */

#include <stdint.h>

#include "crypto_onetimeauth_types.h"

/* Expands r (and clamps it if the primitive says so). The size counts:
 * sizeof(crypto_onetimeauth_key) is part of the expanded key of every system composed with this
 * authenticator. */
void crypto_onetimeauth_expandkey(crypto_onetimeauth_key *expanded, const uint8_t *r);

/* tag = H_r(message) + s. `tag` may equal `s`. */
void crypto_onetimeauth_authenticate(uint8_t *tag, const uint8_t *message, uint64_t length, const uint8_t *s,
                                     const crypto_onetimeauth_key *expanded);

#endif
