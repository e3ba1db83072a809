/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Crypto++'s block ciphers: all blocks in one call, which may process several in parallel. */
extern "C" {
#include "crypto_blockcipher.h"
}

#include PROVIDER_HEADER

#define BLOCK crypto_blockcipher_BLOCKBYTES

namespace
{

struct Both {
    PROVIDER_CLASS::Encryption encrypt;
    PROVIDER_CLASS::Decryption decrypt;
};

Both *of(const crypto_blockcipher_key *expanded)
{
    return static_cast<Both *>(expanded->both);
}

} // namespace

extern "C" int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    Both *both = nullptr;
    try {
        both = new Both;
        both->encrypt.SetKey(key, key_bytes);
        both->decrypt.SetKey(key, key_bytes);
    } catch (...) {
        delete both;
        both = nullptr;
    }
    expanded->both = both;
    return both ? 0 : -1;
}

extern "C" void crypto_blockcipher_release(crypto_blockcipher_key *expanded)
{
    delete of(expanded);
}

extern "C" void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                           const crypto_blockcipher_key *expanded)
{
    of(expanded)->encrypt.AdvancedProcessBlocks(in, nullptr, out, blocks * BLOCK,
                                                CryptoPP::BlockTransformation::BT_AllowParallel);
}

extern "C" void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                           const crypto_blockcipher_key *expanded)
{
    of(expanded)->decrypt.AdvancedProcessBlocks(in, nullptr, out, blocks * BLOCK,
                                                CryptoPP::BlockTransformation::BT_AllowParallel);
}
