/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Crypto++'s AEADs: one object per direction, with the key set; each packet sets the nonce
 * (EncryptAndAuthenticate, DecryptAndVerify).
 *
 * PROVIDER_FINISH: an object that has a nonce must finish a packet before it takes the next one
 * (EAX, whose CMAC is otherwise incomplete).
 *
 * It decrypts before it verifies; the plaintext of a forgery is then zeroed. */
extern "C" {
#include "crypto_aead.h"
}

#include PROVIDER_HEADER
#include <cryptopp/aes.h>
#include <cstring>

#define TAG crypto_aead_TAGBYTES
#define NONCE crypto_aead_NONCEBYTES

namespace
{

struct Both {
    PROVIDER_CLASS::Encryption seal;
    PROVIDER_CLASS::Decryption open;
};

Both *of(const crypto_aead_key *expanded)
{
    return static_cast<Both *>(expanded->both);
}

} // namespace

extern "C" int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    static const uint8_t zero[NONCE] = {0};
    Both *both = nullptr;
    try {
        both = new Both;
        both->seal.SetKeyWithIV(key, crypto_aead_KEYBYTES, zero, NONCE);
        both->open.SetKeyWithIV(key, crypto_aead_KEYBYTES, zero, NONCE);
#ifdef PROVIDER_FINISH
        uint8_t tag[TAG];
        both->seal.TruncatedFinal(tag, TAG);
        both->open.TruncatedFinal(tag, TAG);
#endif
    } catch (...) {
        delete both;
        both = nullptr;
    }
    expanded->both = both;
    return both ? 0 : -1;
}

extern "C" void crypto_aead_release(crypto_aead_key *expanded)
{
    delete of(expanded);
}

extern "C" int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                                   uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    try {
        of(expanded)->seal.EncryptAndAuthenticate(packet + TAG, packet, TAG, nonce, NONCE, ad, ad_length, plaintext,
                                                  length);
        return 0;
    } catch (...) {
        return -1;
    }
}

extern "C" int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                                   uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t tag[TAG];
    if (packet_length < TAG) return -1;
    const uint64_t length = packet_length - TAG;
    std::memcpy(tag, packet, TAG);
    try {
        if (of(expanded)->open.DecryptAndVerify(plaintext, tag, TAG, nonce, NONCE, ad, ad_length, packet + TAG, length))
            return 0;
    } catch (...) {
    }
    std::memset(plaintext, 0, length);
    return -1;
}
