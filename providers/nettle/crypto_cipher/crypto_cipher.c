/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* nettle's CBC and CTR over its block ciphers. */
#include "crypto_cipher.h"

#include <nettle/cbc.h>
#include <nettle/ctr.h>
#include <nettle/nettle-meta.h>
#include <string.h>

#define IV crypto_cipher_IVBYTES

int crypto_cipher_expandkey(crypto_cipher_key *expanded, const uint8_t *key)
{
    PROVIDER_CIPHER.set_encrypt_key(&expanded->encrypt, key);
#ifdef PROVIDER_CBC
    PROVIDER_CIPHER.set_decrypt_key(&expanded->decrypt, key);
#endif
    return 0;
}

#ifdef PROVIDER_CBC

int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    uint8_t chain[IV];
    if (length % IV) return -1;
    memcpy(chain, iv, IV);
    cbc_encrypt(&expanded->encrypt, PROVIDER_CIPHER.encrypt, IV, chain, (size_t)length, out, in);
    return 0;
}

int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    uint8_t chain[IV];
    if (length % IV) return -1;
    memcpy(chain, iv, IV);
    cbc_decrypt(&expanded->decrypt, PROVIDER_CIPHER.decrypt, IV, chain, (size_t)length, out, in);
    return 0;
}

#else

int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    uint8_t counter[IV];
    memcpy(counter, iv, IV);
    ctr_crypt(&expanded->encrypt, PROVIDER_CIPHER.encrypt, IV, counter, (size_t)length, out, in);
    return 0;
}

int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    return crypto_cipher_encrypt(out, in, length, iv, expanded);
}

#endif
