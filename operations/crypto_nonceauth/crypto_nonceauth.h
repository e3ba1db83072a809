/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_NONCEAUTH_H
#define CRYPTO_NONCEAUTH_H

/* crypto_nonceauth: a message-authentication code with a nonce, such as
 * Poly1305-AES, UMAC, VMAC and GMAC.  (Not in SUPERCOP; its shape is.)
 *
 * An implementation is a folder with *.c, *.cc or *.S that defines the function
 * below and nothing else global.  All pointers have any alignment and do not
 * overlap unless said otherwise; lengths are in bytes; inputs are not changed.
 * 0 is success.  No globals that change; no heap in our own implementations.
 *
 * Two messages under one key must have two nonces.  crypto_nonceauth_BYTES,
 * crypto_nonceauth_KEYBYTES and crypto_nonceauth_NONCEBYTES come from
 * primitive.toml. */

#if __has_include("crypto_nonceauth_types.h")
#include "crypto_nonceauth_types.h"
#endif

/* out[0 .. BYTES - 1] = the authenticator of in[0 .. inlen - 1] with nonce
 * n[0 .. NONCEBYTES - 1] under k[0 .. KEYBYTES - 1]. */
int crypto_nonceauth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *n,
                     const unsigned char *k);

#endif
