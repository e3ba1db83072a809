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
 * crypto_nonceauth_KEYBYTES and crypto_nonceauth_NONCEBYTES come from primitive.toml.
 *
 * The folder may contain crypto_nonceauth_types.h. An implementation that can expand its key once
 * for many messages, and take these in pieces, puts
 *
 *   #define crypto_nonceauth_KEYED 1
 *   typedef struct { ... } crypto_nonceauth_key;
 *   typedef struct { ... } crypto_nonceauth_state;
 *
 * there and defines the functions at the end as well. */

#if __has_include("crypto_nonceauth_types.h")
#include "crypto_nonceauth_types.h"
#endif

/* out[0 .. BYTES - 1] = the authenticator of in[0 .. inlen - 1] with nonce
 * n[0 .. NONCEBYTES - 1] under k[0 .. KEYBYTES - 1]. */
int crypto_nonceauth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *n,
                     const unsigned char *k);

#ifdef crypto_nonceauth_KEYED
/* The same with an expanded key, in pieces. One message at a time is authenticated under a key, so
 * that a library's object may serve as key and state. expandkey returns 0, or -1 if the underlying
 * library fails. */
int crypto_nonceauth_expandkey(crypto_nonceauth_key *expanded, const unsigned char *k);
void crypto_nonceauth_start(crypto_nonceauth_state *state, const unsigned char *n,
                            const crypto_nonceauth_key *expanded);
void crypto_nonceauth_update(crypto_nonceauth_state *state, const unsigned char *in, unsigned long long inlen);
void crypto_nonceauth_end(crypto_nonceauth_state *state, unsigned char *out);

/* Frees what expandkey allocated. Only an implementation that allocates defines it, and puts
 * #define crypto_nonceauth_RELEASES 1 into its crypto_nonceauth_types.h. */
void crypto_nonceauth_release(crypto_nonceauth_key *expanded);
#endif

#endif
