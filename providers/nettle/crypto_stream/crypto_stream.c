/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* nettle's stream ciphers. PROVIDER_ARCFOUR: the nonce is part of the key, and the key schedule
 * runs for each packet. */
#include "crypto_stream.h"

#include <string.h>

#include "bytes.h"

#define FIRST crypto_stream_FIRSTBYTES

#ifdef PROVIDER_ARCFOUR

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, sizeof expanded->key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    uint8_t both[crypto_stream_KEYBYTES + crypto_stream_NONCEBYTES];
    (void)soon;
    memcpy(both, expanded->key, crypto_stream_KEYBYTES);
    memcpy(both + crypto_stream_KEYBYTES, nonce, crypto_stream_NONCEBYTES);
    arcfour_set_key(&state->context, sizeof both, both);
    memset(first, 0, FIRST);
    arcfour_crypt(&state->context, FIRST, first, first);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    arcfour_crypt(&state->context, (size_t)length, out, in);
}

#else

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    PROVIDER_SETKEY(&expanded->context, key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    uint8_t block[FIRST + sizeof state->rest] = {0};
    (void)soon;
    state->context = expanded->context;
    PROVIDER_SETNONCE(&state->context, nonce);
    PROVIDER_CRYPT(&state->context, sizeof block, block, block);
    memcpy(first, block, FIRST);
    memcpy(state->rest, block + FIRST, sizeof state->rest);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    const uint64_t rest = length < sizeof state->rest ? length : sizeof state->rest;
    xor_bytes(out, in, state->rest, rest);
    if (length > rest) PROVIDER_CRYPT(&state->context, (size_t)(length - rest), out + rest, in + rest);
}

#endif
