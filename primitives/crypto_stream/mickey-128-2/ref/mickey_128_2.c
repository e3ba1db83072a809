/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICKEY-128 2.0, bit by bit (a byte for each), with the specification's names
 * and numbers.  Written to be compared with the specification, not to be fast. */

#include "crypto_stream.h"

#include <string.h>

#include "../../_mickey/tables.h"

#define BIT(w, i) (uint8_t)((uint32_t)(w) >> (i) & 1)
#define BITS4(w, i) BIT(w, i), BIT(w, i + 1), BIT(w, i + 2), BIT(w, i + 3)
#define BITS(w)                                                             \
    BITS4(w, 0), BITS4(w, 4), BITS4(w, 8), BITS4(w, 12), BITS4(w, 16),      \
        BITS4(w, 20), BITS4(w, 24), BITS4(w, 28)

static const uint8_t r_mask[160] = {MICKEY_R_MASK_WORDS(BITS)};
static const uint8_t comp0[160] = {MICKEY_COMP0_WORDS(BITS)};
static const uint8_t comp1[160] = {MICKEY_COMP1_WORDS(BITS)};
static const uint8_t fb[2][160] = {{MICKEY_FB0_WORDS(BITS)}, {MICKEY_FB1_WORDS(BITS)}};

static unsigned input_bit(const uint8_t *bytes, unsigned i)
{
    return bytes[i / 8] >> (7 - i % 8) & 1;
}

static void clock_r(uint8_t r[160], unsigned input, unsigned control)
{
    const uint8_t feedback = (uint8_t)(r[159] ^ input);
    uint8_t old[161];

    old[0] = 0; /* old[i + 1] is the old r_i */
    memcpy(old + 1, r, 160);
    for (unsigned i = 0; i < 160; i++)
        r[i] = (uint8_t)(old[i] ^ (control & old[i + 1]) ^ (feedback & r_mask[i]));
}

static void clock_s(uint8_t s[160], unsigned input, unsigned control)
{
    const uint8_t *const mask = fb[control];
    const uint8_t feedback = (uint8_t)(s[159] ^ input);
    uint8_t h[160];

    h[0] = 0;
    for (unsigned i = 1; i < 159; i++)
        h[i] = (uint8_t)(s[i - 1] ^ ((s[i] ^ comp0[i]) & (s[i + 1] ^ comp1[i])));
    h[159] = s[158];
    for (unsigned i = 0; i < 160; i++) s[i] = (uint8_t)(h[i] ^ (feedback & mask[i]));
}

static void clock_kg(crypto_stream_state *state, unsigned mixing, unsigned input)
{
    uint8_t *r = state->r, *s = state->s;
    unsigned control_r = s[54] ^ r[106];
    unsigned control_s = s[106] ^ r[53];

    clock_r(r, input ^ (mixing & s[80]), control_r);
    clock_s(s, input, control_s);
}

static uint8_t next_byte(crypto_stream_state *state)
{
    unsigned byte = 0;

    for (unsigned j = 0; j < 8; j++) {
        byte = byte << 1 | (state->r[0] ^ state->s[0]);
        clock_kg(state, 0, 0);
    }
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
    memset(state, 0, sizeof *state);
    for (unsigned i = 0; i < 128; i++) clock_kg(state, 1, input_bit(nonce, i));
    for (unsigned i = 0; i < 128; i++)
        clock_kg(state, 1, input_bit(expanded->key, i));
    for (unsigned i = 0; i < 160; i++) clock_kg(state, 1, 0);
    for (unsigned i = 0; i < crypto_stream_FIRSTBYTES; i++)
        first[i] = next_byte(state);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    for (uint64_t i = 0; i < length; i++) out[i] = in[i] ^ next_byte(state);
}
