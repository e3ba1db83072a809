/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_STREAM_H
#define CRYPTO_STREAM_H

/* crypto_stream: a keystream F_k(n), generated in two steps.
 *
 * An implementation is a folder with
 *
 *   crypto_stream_types.h   the two types below
 *   *.c, *.cc, *.S          the three functions below, and nothing else global
 *
 *   typedef struct { ... } crypto_stream_key;     the expanded key
 *   typedef struct { ... } crypto_stream_state;   the state for one packet
 *
 * sizeof(crypto_stream_key) is a reported size: the memory that a server needs for each active
 * key. Use _Alignas in the types for alignment beyond the natural one. No heap, no mutable
 * globals, no stdio.
 *
 * crypto_stream_KEYBYTES and crypto_stream_NONCEBYTES come from the primitive's primitive.toml.
 * Keys, nonces, input and output may have any alignment. All lengths are in bytes.
 *
 * The two steps follow "Cycle counts for authenticated encryption" (Bernstein 2007): the first 16
 * bytes of keystream authenticate a packet, the rest encrypts it, and a forged packet must cost no
 * more than the first 16 bytes. */

#include <stdint.h>

#include "crypto_stream_types.h"

#define crypto_stream_FIRSTBYTES 16

/* Expands a key of crypto_stream_KEYBYTES bytes. All work that does not depend on the nonce
 * belongs here. Writes every byte of *expanded that is read later, and reads none of it. */
void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key);

/* Starts the packet with this nonce: writes keystream bytes 0..15 to `first` and stores in *state
 * all that crypto_stream_xor needs. *state is uninitialised; it may refer to *expanded, which
 * outlives it and is not modified.
 *
 * `soon` is the number of bytes that the caller will certainly request from crypto_stream_xor
 * next, so that a vectorised implementation can produce them at once. 0 means that the packet may
 * still be rejected, so no more than 16 bytes should be computed. The keystream does not depend on
 * `soon`. */
void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon);

/* out[i] = in[i] ^ keystream[16 + i] for i = 0..length-1. Called at most once after each
 * crypto_stream_start, with any length (0 included), whatever `soon` was. out == in is allowed;
 * any other overlap is not. */
void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length);

#endif
