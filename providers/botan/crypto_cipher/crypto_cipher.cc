/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Botan's modes: one object per direction, with the key set; each message sets the IV and is
 * processed in place. */
extern "C" {
#include "crypto_cipher.h"
}

#include <botan/cipher_mode.h>
#include <cstring>

#define IV crypto_cipher_IVBYTES

namespace
{

struct Both {
    std::unique_ptr<Botan::Cipher_Mode> encrypt, decrypt;
};

Both *of(const crypto_cipher_key *expanded)
{
    return static_cast<Both *>(expanded->both);
}

/* Processes whole blocks in place; a stream cipher takes any number of bytes. */
int process(Botan::Cipher_Mode &mode, uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv)
{
    if (length % crypto_cipher_BLOCKBYTES) return -1;
    try {
        if (out != in) std::memcpy(out, in, length);
        mode.start(iv, IV);
        if (length) mode.process(out, length);
        mode.reset();
        return 0;
    } catch (...) {
        mode.reset();
        return -1;
    }
}

} // namespace

extern "C" int crypto_cipher_expandkey(crypto_cipher_key *expanded, const uint8_t *key)
{
    Both *both = nullptr;
    try {
        both = new Both;
        both->encrypt = Botan::Cipher_Mode::create_or_throw(PROVIDER_MODE, Botan::ENCRYPTION);
        both->decrypt = Botan::Cipher_Mode::create_or_throw(PROVIDER_MODE, Botan::DECRYPTION);
        both->encrypt->set_key(key, crypto_cipher_KEYBYTES);
        both->decrypt->set_key(key, crypto_cipher_KEYBYTES);
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
    return process(*of(expanded)->encrypt, out, in, length, iv);
}

extern "C" int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                                     const crypto_cipher_key *expanded)
{
    return process(*of(expanded)->decrypt, out, in, length, iv);
}
