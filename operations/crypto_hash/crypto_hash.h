/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_HASH_H
#define CRYPTO_HASH_H

/* crypto_hash: a hash function, with SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that define the function below and nothing
 * else global. Pointers may have any alignment; buffers do not overlap unless stated otherwise;
 * lengths are in bytes; inputs are not modified. Functions return 0 on success. No mutable
 * globals; no heap in our own implementations.
 *
 * crypto_hash_BYTES is the length of the hash. crypto_hash_BLOCKBYTES is the B of RFC 2104: the
 * input bytes of one step of the iteration (the rate of a sponge); 0 if the function has none, and
 * then HMAC over it is not defined.
 *
 * The folder may contain crypto_hash_types.h. An implementation that can hash in pieces, so that
 * HMAC and the like need no copy of a message, puts
 *
 *   #define crypto_hash_INCREMENTAL 1
 *   typedef struct { ... } crypto_hash_state;
 *
 * there and defines the three functions at the end as well. */

#if __has_include("crypto_hash_types.h")
#include "crypto_hash_types.h"
#endif

/* out[0 .. crypto_hash_BYTES - 1] = H(in[0 .. inlen - 1]). */
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen);

#ifdef crypto_hash_INCREMENTAL
/* The same in pieces: the hash of all updates since the start. A state is plain bytes, and a copy
 * of it is independent. After crypto_hash_end it must be started again. */
void crypto_hash_start(crypto_hash_state *state);
void crypto_hash_update(crypto_hash_state *state, const unsigned char *in, unsigned long long inlen);
void crypto_hash_end(crypto_hash_state *state, unsigned char *out);
#endif

#endif
