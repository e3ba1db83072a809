/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* wolfCrypt's modes of AES: each message sets the IV in the context. PROVIDER_BACK: the direction
 * of AES for decryption. */
#include "crypto_cipher.h"

#define IV crypto_cipher_IVBYTES

static int set_key(Aes *aes, const uint8_t *key, int direction)
{
    if (wc_AesInit(aes, NULL, INVALID_DEVID)) return -1;
    return wc_AesSetKey(aes, key, crypto_cipher_KEYBYTES, NULL, direction) ? -1 : 0;
}

int crypto_cipher_expandkey(crypto_cipher_key *expanded, const uint8_t *key)
{
    if (set_key(&expanded->encrypt, key, AES_ENCRYPTION)) return -1;
    return set_key(&expanded->decrypt, key, PROVIDER_BACK);
}

void crypto_cipher_release(crypto_cipher_key *expanded)
{
    wc_AesFree(&expanded->encrypt);
    wc_AesFree(&expanded->decrypt);
}

static int process(int (*mode)(Aes *, byte *, const byte *, word32), const Aes *aes, uint8_t *out, const uint8_t *in,
                   uint64_t length, const uint8_t *iv)
{
    Aes *state = (Aes *)aes;
    if (length % crypto_cipher_BLOCKBYTES || length > UINT32_MAX) return -1;
    if (IV && wc_AesSetIV(state, iv)) return -1;
    return length && mode(state, out, in, (word32)length) ? -1 : 0;
}

int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    return process(PROVIDER_ENCRYPT, &expanded->encrypt, out, in, length, iv);
}

int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    return process(PROVIDER_DECRYPT, &expanded->decrypt, out, in, length, iv);
}
