/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SALSA_CHACHA_STREAM_H
#define SALSA_CHACHA_STREAM_H

/* crypto_stream on Salsa20 or ChaCha20: on the header of ../_salsa20 or
 * ../_chacha20 that was included before.  Keystream from block 0 on.  The block
 * with the first 16 bytes is made together with as many as the message is sure to
 * need and one pass can give; the others go straight into the message. */

#include "crypto_stream.h"

_Static_assert(CIPHER_BUFFER == CIPHER_AHEAD, "types and code must agree");

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    CIPHER(expandkey)(expanded->key, key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    state->expanded = expanded;
    memcpy(state->nonce, nonce, sizeof state->nonce);
    /* soon + 16 bytes in blocks, rounded up, with no overflow */
    state->blocks = CIPHER(first)(soon / 64 + (soon % 64 > 48) + 1);
    CIPHER(xor)(state->ahead, 0, 64 * state->blocks, expanded->key, nonce, 0);
    memcpy(first, state->ahead, 16);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint64_t n = 64 * (uint64_t)state->blocks - 16;

    if (n > length) n = length;
    CIPHER(apply)(out, in, state->ahead + 16, n);
    if (length > n)
        CIPHER(xor)(out + n, in + n, length - n, state->expanded->key,
                    state->nonce, state->blocks);
}

#endif
