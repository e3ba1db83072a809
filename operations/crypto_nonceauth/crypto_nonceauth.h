/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_NONCEAUTH_H
#define CRYPTO_NONCEAUTH_H

/* crypto_nonceauth: a message-authentication code with a nonce, such as Poly1305-AES, UMAC, VMAC
 * and GMAC. (SUPERCOP does not have this operation; the interface follows its style.)
 *
 * An implementation is a folder with *.c, *.cc or *.S that define the function below and nothing
 * else global. Pointers may have any alignment; buffers do not overlap unless stated otherwise;
 * lengths are in bytes; inputs are not modified. Functions return 0 on success. No mutable
 * globals; no heap in our own implementations.
 *
 * Different messages under one key must have different nonces. crypto_nonceauth_BYTES,
 * crypto_nonceauth_KEYBYTES and crypto_nonceauth_NONCEBYTES come from primitive.toml. */

#if __has_include("crypto_nonceauth_types.h")
#include "crypto_nonceauth_types.h"
#endif

/* out[0 .. BYTES - 1] = the authenticator of in[0 .. inlen - 1] with nonce
 * n[0 .. NONCEBYTES - 1] under k[0 .. KEYBYTES - 1]. */
int crypto_nonceauth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *n,
                     const unsigned char *k);

#endif
