/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hash functions that iterate a compression function over blocks, with the
 * padding of FIPS 180-4, section 5.1: a bit 1, zeroes, the length in bits,
 * big-endian.  Before it is included:
 *
 *   HASH_BLOCK          block bytes
 *   HASH_LENGTH         bytes of the padding's length field
 *   HASH_WORD           the type of a state word; HASH_STORE writes one
 *   hash_start_value[]  the initial state
 *   hash_blocks(h, in, blocks)
 *
 * and crypto_hash_state has length, h[] and block[HASH_BLOCK]. */
#include <string.h>

#include "bytes.h"

void crypto_hash_start(crypto_hash_state *state)
{
    memcpy(state->h, hash_start_value, sizeof hash_start_value);
    state->length = 0;
}

void crypto_hash_update(crypto_hash_state *state, const unsigned char *in, unsigned long long inlen)
{
    const unsigned held = (unsigned)(state->length % HASH_BLOCK);
    state->length += inlen;
    if (held + inlen < HASH_BLOCK) {
        if (inlen) memcpy(state->block + held, in, (size_t)inlen);
        return;
    }
    if (held) {
        memcpy(state->block + held, in, HASH_BLOCK - held);
        hash_blocks(state->h, state->block, 1);
        in += HASH_BLOCK - held;
        inlen -= HASH_BLOCK - held;
    }
    hash_blocks(state->h, in, inlen / HASH_BLOCK);
    memcpy(state->block, in + inlen / HASH_BLOCK * HASH_BLOCK, (size_t)(inlen % HASH_BLOCK));
}

void crypto_hash_end(crypto_hash_state *state, unsigned char *out)
{
    uint8_t word[sizeof(HASH_WORD)];
    unsigned held = (unsigned)(state->length % HASH_BLOCK);
    state->block[held++] = 0x80;
    if (held > HASH_BLOCK - HASH_LENGTH) {
        memset(state->block + held, 0, HASH_BLOCK - held);
        hash_blocks(state->h, state->block, 1);
        held = 0;
    }
    memset(state->block + held, 0, HASH_BLOCK - held);
    store_be64(state->block + HASH_BLOCK - 8, state->length << 3);
    /* Only a 16-byte field has room for what the shift loses; the other's messages are shorter. */
    if (HASH_LENGTH == 16) state->block[HASH_BLOCK - 9] = (uint8_t)(state->length >> 61);
    hash_blocks(state->h, state->block, 1);
    for (unsigned i = 0; i < crypto_hash_BYTES; i += (unsigned)sizeof word) {
        const unsigned rest = crypto_hash_BYTES - i;
        HASH_STORE(word, state->h[i / sizeof word]);
        memcpy(out + i, word, rest < sizeof word ? rest : sizeof word);
    }
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    crypto_hash_state state;
    crypto_hash_start(&state);
    crypto_hash_update(&state, in, inlen);
    crypto_hash_end(&state, out);
    return 0;
}
