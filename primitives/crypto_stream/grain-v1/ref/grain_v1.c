/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Grain v1, bit by bit, with the specification's numbers for the register bits.
 * Written to be compared with the specification, not to be fast. */

#include "crypto_stream.h"

#include <string.h>

enum { SIZE = 80, NONCE_BITS = 64 };

static unsigned bit(const uint8_t *bytes, unsigned i)
{
    return bytes[i / 8] >> (i % 8) & 1;
}

static unsigned output(const uint8_t *s, const uint8_t *b)
{
    unsigned x0 = s[3], x1 = s[25], x2 = s[46], x3 = s[64], x4 = b[63];
    unsigned h = x1 ^ x4 ^ (x0 & x3) ^ (x2 & x3) ^ (x3 & x4) ^ (x0 & x1 & x2) ^
                 (x0 & x2 & x3) ^ (x0 & x2 & x4) ^ (x1 & x2 & x4) ^ (x2 & x3 & x4);

    return b[1] ^ b[2] ^ b[4] ^ b[10] ^ b[31] ^ b[43] ^ b[56] ^ h;
}

static unsigned linear_feedback(const uint8_t *s)
{
    return s[62] ^ s[51] ^ s[38] ^ s[23] ^ s[13] ^ s[0];
}

static unsigned nonlinear_feedback(const uint8_t *s, const uint8_t *b)
{
    return s[0] ^ b[62] ^ b[60] ^ b[52] ^ b[45] ^ b[37] ^ b[33] ^ b[28] ^ b[21] ^
           b[14] ^ b[9] ^ b[0] ^ (b[63] & b[60]) ^ (b[37] & b[33]) ^
           (b[15] & b[9]) ^ (b[60] & b[52] & b[45]) ^ (b[33] & b[28] & b[21]) ^
           (b[63] & b[45] & b[28] & b[9]) ^ (b[60] & b[52] & b[37] & b[33]) ^
           (b[63] & b[60] & b[21] & b[15]) ^ (b[63] & b[60] & b[52] & b[45] & b[37]) ^
           (b[33] & b[28] & b[21] & b[15] & b[9]) ^
           (b[52] & b[45] & b[37] & b[33] & b[28] & b[21]);
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
