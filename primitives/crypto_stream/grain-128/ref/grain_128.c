/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Grain-128, bit by bit, with the specification's numbers for the register bits.
 * Written to be compared with the specification, not to be fast. */

#include "crypto_stream.h"

#include <string.h>

enum { SIZE = 128, NONCE_BITS = 96 };

static unsigned bit(const uint8_t *bytes, unsigned i)
{
    return bytes[i / 8] >> (i % 8) & 1;
}

static unsigned output(const uint8_t *s, const uint8_t *b)
{
    unsigned h = (b[12] & s[8]) ^ (s[13] & s[20]) ^ (b[95] & s[42]) ^
                 (s[60] & s[79]) ^ (b[12] & b[95] & s[95]);

    return b[2] ^ b[15] ^ b[36] ^ b[45] ^ b[64] ^ b[73] ^ b[89] ^ s[93] ^ h;
}

static unsigned linear_feedback(const uint8_t *s)
{
    return s[0] ^ s[7] ^ s[38] ^ s[70] ^ s[81] ^ s[96];
}

static unsigned nonlinear_feedback(const uint8_t *s, const uint8_t *b)
{
    return s[0] ^ b[0] ^ b[26] ^ b[56] ^ b[91] ^ b[96] ^ (b[3] & b[67]) ^
           (b[11] & b[13]) ^ (b[17] & b[18]) ^ (b[27] & b[59]) ^ (b[40] & b[48]) ^
           (b[61] & b[65]) ^ (b[68] & b[84]);
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
