/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHACHA20_STREAM_H
#define CHACHA20_STREAM_H

/* crypto_stream on chacha20_xor: keystream from block 0 on.  The block with
 * the first 16 bytes is made together with as many as the message is sure to
 * need and one pass can give; the others go straight into the message. */

#include "crypto_stream.h"

_Static_assert(CHACHA20_BUFFER == CHACHA20_AHEAD, "types and code must agree");

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    for (int i = 0; i < 8; i++) expanded->key[i] = load_le32(key + 4 * i);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    state->expanded = expanded;
    memcpy(state->nonce, nonce, 12);
    /* soon + 16 bytes, rounded up, with no overflow */
    state->blocks = chacha20_first(soon / 64 + (soon % 64 > 48) + 1);
    chacha20_xor(state->ahead, 0, 64 * state->blocks, expanded->key, nonce, 0);
    memcpy(first, state->ahead, 16);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint64_t n = 64 * (uint64_t)state->blocks - 16;

    if (n > length) n = length;
    chacha20_apply(out, in, state->ahead + 16, n);
    if (length > n)
        chacha20_xor(out + n, in + n, length - n, state->expanded->key,
                     state->nonce, state->blocks);
}

#endif
