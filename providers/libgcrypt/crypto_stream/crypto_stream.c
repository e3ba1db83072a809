/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libgcrypt's stream ciphers. PROVIDER_KEYED: number of key bytes if the nonce is part of the key
 * and the key schedule runs for each packet (RC4); 0 otherwise. */
#include "crypto_stream.h"

#include "../start.h"
#include <string.h>

#define FIRST crypto_stream_FIRSTBYTES
#define NONCE crypto_stream_NONCEBYTES

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    gcry_cipher_hd_t handle = NULL;
    (void)start_library();
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    gcry_cipher_open(&handle, PROVIDER_CIPHER, GCRY_CIPHER_MODE_STREAM, 0);
    if (PROVIDER_KEYED)
        memcpy(expanded->key, key, PROVIDER_KEYED);
    else
        gcry_cipher_setkey(handle, key, crypto_stream_KEYBYTES);
    expanded->handle = handle;
}

static void start(const crypto_stream_key *expanded, const uint8_t *nonce)
{
    uint8_t both[PROVIDER_KEYED + NONCE];
    if (!PROVIDER_KEYED) {
        gcry_cipher_setiv(expanded->handle, nonce, NONCE);
        return;
    }
    memcpy(both, expanded->key, PROVIDER_KEYED);
    memcpy(both + PROVIDER_KEYED, nonce, NONCE);
    gcry_cipher_setkey(expanded->handle, both, sizeof both);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    (void)soon;
    state->handle = expanded->handle;
    start(expanded, nonce);
    memset(first, 0, FIRST);
    gcry_cipher_encrypt(state->handle, first, FIRST, NULL, 0);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    if (out == in)
        gcry_cipher_encrypt(state->handle, out, (size_t)length, NULL, 0);
    else
        gcry_cipher_encrypt(state->handle, out, (size_t)length, in, (size_t)length);
}
