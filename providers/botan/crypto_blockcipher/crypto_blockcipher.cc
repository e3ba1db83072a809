/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Botan's block ciphers. */
extern "C" {
#include "crypto_blockcipher.h"
}

#include <botan/block_cipher.h>

namespace
{

const Botan::BlockCipher *of(const crypto_blockcipher_key *expanded)
{
    return static_cast<const Botan::BlockCipher *>(expanded->cipher);
}

/* AES has a different name for each key length. */
std::unique_ptr<Botan::BlockCipher> created(uint64_t key_bytes)
{
#ifdef PROVIDER_AES
    if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32) return nullptr;
    return Botan::BlockCipher::create("AES-" + std::to_string(8 * key_bytes));
#else
    (void)key_bytes;
    return Botan::BlockCipher::create(PROVIDER_CIPHER);
#endif
}

} // namespace

extern "C" int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    expanded->cipher = nullptr;
    try {
        std::unique_ptr<Botan::BlockCipher> cipher = created(key_bytes);
        if (!cipher) return -1;
        cipher->set_key(key, key_bytes);
        expanded->cipher = cipher.release();
        return 0;
    } catch (...) {
        return -1;
    }
}

extern "C" void crypto_blockcipher_release(crypto_blockcipher_key *expanded)
{
    delete of(expanded);
}

extern "C" void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                           const crypto_blockcipher_key *expanded)
{
    of(expanded)->encrypt_n(in, out, blocks);
}

extern "C" void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                           const crypto_blockcipher_key *expanded)
{
    of(expanded)->decrypt_n(in, out, blocks);
}
