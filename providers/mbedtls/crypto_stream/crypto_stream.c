/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* mbed TLS's ChaCha20 and RC4; the nonce of RC4 is part of its key, and its key schedule runs for
 * each packet. */
#include "crypto_stream.h"

#include <string.h>

#define FIRST crypto_stream_FIRSTBYTES
#define KEY crypto_stream_KEYBYTES
#define NONCE crypto_stream_NONCEBYTES

#ifdef PROVIDER_ARC4

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, KEY);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    uint8_t both[KEY + NONCE];
    (void)soon;
    memcpy(both, expanded->key, KEY);
    memcpy(both + KEY, nonce, NONCE);
    mbedtls_arc4_init(&state->context);
    mbedtls_arc4_setup(&state->context, both, sizeof both);
    memset(first, 0, FIRST);
    mbedtls_arc4_crypt(&state->context, FIRST, first, first);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    mbedtls_arc4_crypt(&state->context, (size_t)length, in, out);
}

#else

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    mbedtls_chacha20_init(&expanded->context);
    mbedtls_chacha20_setkey(&expanded->context, key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    (void)soon;
    state->context = expanded->context;
    mbedtls_chacha20_starts(&state->context, nonce, 0);
    memset(first, 0, FIRST);
    mbedtls_chacha20_update(&state->context, FIRST, first, first);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    mbedtls_chacha20_update(&state->context, (size_t)length, in, out);
}

#endif
