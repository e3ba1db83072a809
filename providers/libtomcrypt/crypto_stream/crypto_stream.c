/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libtomcrypt's ChaCha20 and RC4; the nonce of RC4 is part of its key, and its key schedule runs
 * for each packet. */
#include "crypto_stream.h"

#include <string.h>

#define FIRST crypto_stream_FIRSTBYTES
#define KEY crypto_stream_KEYBYTES
#define NONCE crypto_stream_NONCEBYTES

#ifdef PROVIDER_RC4

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
    rc4_stream_setup(&state->state, both, sizeof both);
    rc4_stream_keystream(&state->state, first, FIRST);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    if (length) rc4_stream_crypt(&state->state, in, (unsigned long)length, out);
}

#else

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    chacha_setup(&expanded->state, key, KEY, 20);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    (void)soon;
    state->state = expanded->state;
    chacha_ivctr32(&state->state, nonce, NONCE, 0);
    chacha_keystream(&state->state, first, FIRST);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    if (length) chacha_crypt(&state->state, in, (unsigned long)length, out);
}

#endif
