/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libtomcrypt's modes over its block ciphers. */
#include "crypto_cipher.h"

#define IV crypto_cipher_IVBYTES
#define KEY crypto_cipher_KEYBYTES
#define GLUE(a, b) a##b
#define NAME(a, b) GLUE(a, b)

int crypto_cipher_expandkey(crypto_cipher_key *expanded, const uint8_t *key)
{
    static int index = -1;
    static const uint8_t zero[IV + 1];
    if (index < 0) index = register_cipher(&PROVIDER_CIPHER);
#if defined(PROVIDER_CTR)
    return ctr_start(index, zero, key, KEY, 0, CTR_COUNTER_BIG_ENDIAN, &expanded->state) == CRYPT_OK ? 0 : -1;
#elif IV
    return NAME(PROVIDER_MODE, _start)(index, zero, key, KEY, 0, &expanded->state) == CRYPT_OK ? 0 : -1;
#else
    (void)zero;
    return ecb_start(index, key, KEY, 0, &expanded->state) == CRYPT_OK ? 0 : -1;
#endif
}

void crypto_cipher_release(crypto_cipher_key *expanded)
{
    NAME(PROVIDER_MODE, _done)(&expanded->state);
}

/* Sets the IV and returns the state; NULL if the mode does not support the length. */
static PROVIDER_STATE *started(uint64_t length, const uint8_t *iv, const crypto_cipher_key *expanded)
{
    PROVIDER_STATE *state = (PROVIDER_STATE *)&expanded->state;
    if (length % crypto_cipher_BLOCKBYTES) return NULL;
#if IV
    if (NAME(PROVIDER_MODE, _setiv)(iv, IV, state) != CRYPT_OK) return NULL;
#else
    (void)iv;
#endif
    return state;
}

int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    PROVIDER_STATE *state = started(length, iv, expanded);
    if (!state) return -1;
    return NAME(PROVIDER_MODE, _encrypt)(in, out, (unsigned long)length, state) == CRYPT_OK ? 0 : -1;
}

int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    PROVIDER_STATE *state = started(length, iv, expanded);
    if (!state) return -1;
    return NAME(PROVIDER_MODE, _decrypt)(in, out, (unsigned long)length, state) == CRYPT_OK ? 0 : -1;
}
