/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* nettle's block ciphers, by their descriptions in nettle-meta.h. */
#include "crypto_blockcipher.h"

#include <nettle/nettle-meta.h>

#define BLOCK crypto_blockcipher_BLOCKBYTES
#define GLUE(a, b) nettle_##a##b
#define NAME(a, b) GLUE(a, b)

static const struct nettle_cipher *const ciphers[3] = {&NAME(PROVIDER_CIPHER, 128), &NAME(PROVIDER_CIPHER, 192),
                                                       &NAME(PROVIDER_CIPHER, 256)};

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    const uint64_t which = key_bytes / 8 - 2;
    if (key_bytes % 8 || which > 2) return -1;
    expanded->which = (uint32_t)which;
    ciphers[which]->set_encrypt_key(&expanded->encrypt, key);
#ifdef PROVIDER_INVERSE
    ciphers[which]->set_decrypt_key(&expanded->decrypt, key);
#endif
    return 0;
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    ciphers[expanded->which]->encrypt(&expanded->encrypt, (size_t)blocks * BLOCK, out, in);
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
#ifdef PROVIDER_INVERSE
    ciphers[expanded->which]->decrypt(&expanded->decrypt, (size_t)blocks * BLOCK, out, in);
#else
    ciphers[expanded->which]->decrypt(&expanded->encrypt, (size_t)blocks * BLOCK, out, in);
#endif
}
