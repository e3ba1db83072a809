/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AUTH_H
#define CRYPTO_AUTH_H

/* crypto_auth: a message-authentication code with a key and no nonce, with SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that define the functions below and nothing
 * else global. Pointers may have any alignment; buffers do not overlap unless stated otherwise;
 * lengths are in bytes; inputs are not modified. Functions return 0 on success. No mutable
 * globals; no heap in our own implementations.
 *
 * crypto_auth_BYTES and crypto_auth_KEYBYTES come from primitive.toml. An authenticator may also
 * have no code at all, and its primitive.toml names a composition and its part (see
 * compositions/hmac/).
 *
 * The folder may contain crypto_auth_types.h. An implementation that can process the message in
 * pieces, so that a composition needs no copy of it, puts
 *
 *   #define crypto_auth_INCREMENTAL 1
 *   typedef struct { ... } crypto_auth_state;
 *
 * there and defines the three functions at the end as well. */

#if __has_include("crypto_auth_types.h")
#include "crypto_auth_types.h"
#endif

/* out[0 .. crypto_auth_BYTES - 1] = the authenticator of in[0 .. inlen - 1]
 * under k[0 .. crypto_auth_KEYBYTES - 1]. */
int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k);

/* Returns 0 if h is the authenticator of in under k, otherwise -1. The time does not depend on
 * where h differs. */
int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k);

#ifdef crypto_auth_INCREMENTAL
/* The same in pieces. A state is plain bytes, and a copy of it is independent, so a started state
 * serves as an expanded key. */
void crypto_auth_start(crypto_auth_state *state, const unsigned char *k);
void crypto_auth_update(crypto_auth_state *state, const unsigned char *in, unsigned long long inlen);
void crypto_auth_end(crypto_auth_state *state, unsigned char *out);
#endif

#endif
