/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GRAIN_STREAM_REF_H
#define GRAIN_STREAM_REF_H

/* crypto_stream on Grain v1 or Grain-128, bit by bit.  Who includes this gives
 * before the numbers
 *
 *   SIZE, NONCE_BITS   of a register, of the nonce
 *
 * and on the registers, linear s and nonlinear b, one bit a byte
 *
 *   output(s, b), linear_feedback(s), nonlinear_feedback(s, b) */

#include "crypto_stream.h"

#include <string.h>

static unsigned bit(const uint8_t *bytes, unsigned i)
{
    return bytes[i / 8] >> (i % 8) & 1;
}

/* Shifts both registers.  During the initialisation (feed = 1) the output
 * goes into both of them. */
static unsigned clock_once(crypto_stream_state *state, unsigned feed)
{
    uint8_t *s = state->s, *b = state->b;
    unsigned z = output(s, b);
    unsigned new_s = linear_feedback(s) ^ (feed & z);
    unsigned new_b = nonlinear_feedback(s, b) ^ (feed & z);

    memmove(s, s + 1, SIZE - 1);
    memmove(b, b + 1, SIZE - 1);
    s[SIZE - 1] = (uint8_t)new_s;
    b[SIZE - 1] = (uint8_t)new_b;
    return z;
}

static uint8_t next_byte(crypto_stream_state *state)
{
    unsigned byte = 0;

    for (unsigned j = 0; j < 8; j++) byte |= clock_once(state, 0) << j;
    return (uint8_t)byte;
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, sizeof expanded->key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    (void)soon;
    for (unsigned i = 0; i < SIZE; i++) {
        state->b[i] = (uint8_t)bit(expanded->key, i);
        state->s[i] = (uint8_t)(i < NONCE_BITS ? bit(nonce, i) : 1);
    }
    for (unsigned i = 0; i < 2 * SIZE; i++) clock_once(state, 1);
    for (unsigned i = 0; i < crypto_stream_FIRSTBYTES; i++)
        first[i] = next_byte(state);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    for (uint64_t i = 0; i < length; i++) out[i] = in[i] ^ next_byte(state);
}

#endif
