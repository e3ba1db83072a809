/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* wolfCrypt's AES in ECB mode. */
#include "crypto_blockcipher.h"

#define BLOCK crypto_blockcipher_BLOCKBYTES

static int set_key(Aes *aes, const uint8_t *key, uint64_t key_bytes, int direction)
{
    if (wc_AesInit(aes, NULL, INVALID_DEVID)) return -1;
    if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32) return -1;
    return wc_AesSetKey(aes, key, (word32)key_bytes, NULL, direction) ? -1 : 0;
}

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    if (set_key(&expanded->encrypt, key, key_bytes, AES_ENCRYPTION)) return -1;
    return set_key(&expanded->decrypt, key, key_bytes, AES_DECRYPTION);
}

void crypto_blockcipher_release(crypto_blockcipher_key *expanded)
{
    wc_AesFree(&expanded->encrypt);
    wc_AesFree(&expanded->decrypt);
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    wc_AesEcbEncrypt((Aes *)&expanded->encrypt, out, in, (word32)(blocks * BLOCK));
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    wc_AesEcbDecrypt((Aes *)&expanded->decrypt, out, in, (word32)(blocks * BLOCK));
}
