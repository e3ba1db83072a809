/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Crypto++'s modes: one object per direction, with the key set; each message sets the IV. */
extern "C" {
#include "crypto_cipher.h"
}

#include PROVIDER_HEADER
#include <cryptopp/modes.h>

#define IV crypto_cipher_IVBYTES

namespace
{

struct Both {
    CryptoPP::PROVIDER_MODE<CryptoPP::PROVIDER_CLASS>::Encryption encrypt;
    CryptoPP::PROVIDER_MODE<CryptoPP::PROVIDER_CLASS>::Decryption decrypt;
};

Both *of(const crypto_cipher_key *expanded)
{
    return static_cast<Both *>(expanded->both);
}

template <class Mode> void set_key(Mode &mode, const uint8_t *key)
{
    static const uint8_t zero[IV + 1] = {0};
    if (IV)
        mode.SetKeyWithIV(key, crypto_cipher_KEYBYTES, zero, IV);
    else
        mode.SetKey(key, crypto_cipher_KEYBYTES);
}

template <class Mode> int process(Mode &mode, uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv)
{
    if (length % crypto_cipher_BLOCKBYTES) return -1;
    try {
        if (IV) mode.Resynchronize(iv, IV);
        if (length) mode.ProcessData(out, in, length);
        return 0;
    } catch (...) {
        return -1;
    }
}

} // namespace

extern "C" int crypto_cipher_expandkey(crypto_cipher_key *expanded, const uint8_t *key)
{
    Both *both = nullptr;
    try {
        both = new Both;
        set_key(both->encrypt, key);
        set_key(both->decrypt, key);
    } catch (...) {
        delete both;
        both = nullptr;
    }
    expanded->both = both;
    return both ? 0 : -1;
}

extern "C" void crypto_cipher_release(crypto_cipher_key *expanded)
{
    delete of(expanded);
}

extern "C" int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                                     const crypto_cipher_key *expanded)
{
    return process(of(expanded)->encrypt, out, in, length, iv);
}

extern "C" int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                                     const crypto_cipher_key *expanded)
{
    return process(of(expanded)->decrypt, out, in, length, iv);
}
