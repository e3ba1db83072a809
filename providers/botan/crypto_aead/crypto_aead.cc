/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Botan's AEADs: one object per direction, with the key set; each packet sets associated data and
 * nonce. Botan works in a buffer of its own type (secure_vector) with the tag behind the text. The
 * copying is part of its interface, and no plaintext of a forgery leaves that buffer.
 *
 * PROVIDER_RESET: after a packet it accepts associated data only after a reset. */
extern "C" {
#include "crypto_aead.h"
}

#include <botan/aead.h>
#include <cstring>

#define TAG crypto_aead_TAGBYTES
#define NONCE crypto_aead_NONCEBYTES

namespace
{

struct Both {
    std::unique_ptr<Botan::AEAD_Mode> seal, open;
    Botan::secure_vector<uint8_t> buffer;
};

Both *of(const crypto_aead_key *expanded)
{
    return static_cast<Both *>(expanded->both);
}

} // namespace

extern "C" int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    Both *both = nullptr;
    try {
        both = new Both;
        both->seal = Botan::AEAD_Mode::create_or_throw(PROVIDER_MODE, Botan::ENCRYPTION);
        both->open = Botan::AEAD_Mode::create_or_throw(PROVIDER_MODE, Botan::DECRYPTION);
        both->seal->set_key(key, crypto_aead_KEYBYTES);
        both->open->set_key(key, crypto_aead_KEYBYTES);
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
    Both *both = of(expanded);
    try {
        both->buffer.assign(plaintext, plaintext + length);
#ifdef PROVIDER_RESET
        both->seal->reset();
#endif
        both->seal->set_associated_data(ad, ad_length);
        both->seal->start(nonce, NONCE);
        both->seal->finish(both->buffer);
    } catch (...) {
        both->seal->reset();
        return -1;
    }
    std::memcpy(packet + TAG, both->buffer.data(), length);
    std::memcpy(packet, both->buffer.data() + length, TAG);
    return 0;
}

extern "C" int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                                   uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    Both *both = of(expanded);
    if (packet_length < TAG) return -1;
    try {
        both->buffer.assign(packet + TAG, packet + packet_length);
        both->buffer.insert(both->buffer.end(), packet, packet + TAG);
#ifdef PROVIDER_RESET
        both->open->reset();
#endif
        both->open->set_associated_data(ad, ad_length);
        both->open->start(nonce, NONCE);
        both->open->finish(both->buffer);
    } catch (...) {
        both->open->reset();
        return -1;
    }
    std::memcpy(plaintext, both->buffer.data(), packet_length - TAG);
    return 0;
}
