/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Trivium, bit by bit, with the specification's numbers for the state bits.
 * Written to be compared with the specification, not to be fast. */

#include "crypto_stream.h"

#include <string.h>

static unsigned bit(const uint8_t *bytes, unsigned i)
{
    return bytes[i / 8] >> (i % 8) & 1;
}

static unsigned clock_once(uint8_t s[289])
{
    unsigned t1 = s[66] ^ s[93];
    unsigned t2 = s[162] ^ s[177];
    unsigned t3 = s[243] ^ s[288];
    unsigned z = t1 ^ t2 ^ t3;

    t1 ^= (s[91] & s[92]) ^ s[171];
    t2 ^= (s[175] & s[176]) ^ s[264];
    t3 ^= (s[286] & s[287]) ^ s[69];
    /* one shift of all three registers; what crosses a border is replaced */
    memmove(s + 2, s + 1, 287);
    s[1] = (uint8_t)t3;
    s[94] = (uint8_t)t1;
    s[178] = (uint8_t)t2;
    return z;
}

static uint8_t next_byte(uint8_t s[289])
{
    unsigned byte = 0;

    for (unsigned j = 0; j < 8; j++) byte |= clock_once(s) << j;
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
    uint8_t *s = state->s;

    (void)soon;
    memset(s, 0, sizeof state->s);
    for (unsigned t = 0; t < 80; t++) {
        s[80 - t] = (uint8_t)bit(expanded->key, t);
        s[173 - t] = (uint8_t)bit(nonce, t);
    }
    s[286] = s[287] = s[288] = 1;
    for (unsigned i = 0; i < 4 * 288; i++) clock_once(s);
    for (unsigned i = 0; i < crypto_stream_FIRSTBYTES; i++) first[i] = next_byte(s);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    for (uint64_t i = 0; i < length; i++) out[i] = in[i] ^ next_byte(state->s);
}
