/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Crypto++'s stream ciphers: one object with the key set; each packet sets the nonce.
 *
 * PROVIDER_KEYED   the nonce is part of the key (RC4) PROVIDER_APART   it overwrites its input
 * with keystream before it reads it, so
 *                  plaintext and ciphertext must not overlap
 * PROVIDER_ROUNDS  the number of rounds, if not the library's default */
extern "C" {
#include "crypto_stream.h"
}

#define CRYPTOPP_ENABLE_NAMESPACE_WEAK 1 /* RC4 */
#include PROVIDER_HEADER
#include <cryptopp/algparam.h>
#include <cryptopp/argnames.h>
#include <cstring>

#define FIRST crypto_stream_FIRSTBYTES
#define KEY crypto_stream_KEYBYTES
#define NONCE crypto_stream_NONCEBYTES

namespace
{

using Cipher = PROVIDER_CLASS::Encryption;

#ifdef PROVIDER_KEYED

void set_key(Cipher &, const uint8_t *)
{
}

void set_nonce(Cipher &cipher, const uint8_t *nonce, const uint8_t *key)
{
    uint8_t both[KEY + NONCE];
    std::memcpy(both, key, KEY);
    std::memcpy(both + KEY, nonce, NONCE);
    cipher.SetKey(both, sizeof both);
}

#else

void set_key(Cipher &cipher, const uint8_t *key)
{
    static const uint8_t zero[NONCE] = {0};
#ifdef PROVIDER_ROUNDS
    const CryptoPP::ConstByteArrayParameter iv(zero, NONCE);
    cipher.SetKey(key, KEY,
                  CryptoPP::MakeParameters(CryptoPP::Name::Rounds(), PROVIDER_ROUNDS)(CryptoPP::Name::IV(), iv));
#else
    cipher.SetKeyWithIV(key, KEY, zero, NONCE);
#endif
}

void set_nonce(Cipher &cipher, const uint8_t *nonce, const uint8_t *)
{
    cipher.Resynchronize(nonce, NONCE);
}

#endif

const uint8_t zeroes[FIRST] = {0};

} // namespace

extern "C" void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    Cipher *cipher = new Cipher;
    set_key(*cipher, key);
    std::memcpy(expanded->key, key, KEY);
    expanded->cipher = cipher;
}

extern "C" void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                                    const crypto_stream_key *expanded, uint64_t soon)
{
    Cipher *cipher = static_cast<Cipher *>(expanded->cipher);
    (void)soon;
    state->cipher = cipher;
    set_nonce(*cipher, nonce, expanded->key);
    cipher->ProcessData(first, zeroes, FIRST);
}

extern "C" void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    Cipher *cipher = static_cast<Cipher *>(state->cipher);
#ifdef PROVIDER_APART
    uint8_t copy[4096];
    for (uint64_t now; out == in && length > 0; out += now, in += now, length -= now) {
        now = length < sizeof copy ? length : sizeof copy;
        std::memcpy(copy, in, now);
        cipher->ProcessData(out, copy, now);
    }
#endif
    if (length) cipher->ProcessData(out, in, length);
}
