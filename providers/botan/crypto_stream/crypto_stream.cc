/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Botan's stream ciphers: one object with the key set; each packet sets the nonce. PROVIDER_KEYED:
 * the nonce is part of the key (RC4). */
extern "C" {
#include "crypto_stream.h"
}

#include <botan/stream_cipher.h>
#include <cstring>

#define FIRST crypto_stream_FIRSTBYTES
#define KEY crypto_stream_KEYBYTES
#define NONCE crypto_stream_NONCEBYTES

extern "C" void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    std::unique_ptr<Botan::StreamCipher> cipher = Botan::StreamCipher::create_or_throw(PROVIDER_CIPHER);
#ifndef PROVIDER_KEYED
    cipher->set_key(key, KEY);
#endif
    std::memcpy(expanded->key, key, KEY);
    expanded->cipher = cipher.release();
}

extern "C" void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                                    const crypto_stream_key *expanded, uint64_t soon)
{
    Botan::StreamCipher *cipher = static_cast<Botan::StreamCipher *>(expanded->cipher);
    (void)soon;
    state->cipher = cipher;
#ifdef PROVIDER_KEYED
    uint8_t both[KEY + NONCE];
    std::memcpy(both, expanded->key, KEY);
    std::memcpy(both + KEY, nonce, NONCE);
    cipher->set_key(both, sizeof both);
#else
    cipher->set_iv(nonce, NONCE);
#endif
    std::memset(first, 0, FIRST);
    cipher->cipher(first, first, FIRST);
}

extern "C" void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    if (length) static_cast<Botan::StreamCipher *>(state->cipher)->cipher(in, out, length);
}
