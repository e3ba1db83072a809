/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libgcrypt's modes: one handle with the key set; each message sets the IV. */
#include "crypto_cipher.h"

#include "../start.h"

int crypto_cipher_expandkey(crypto_cipher_key *expanded, const uint8_t *key)
{
    gcry_cipher_hd_t handle;
    expanded->handle = NULL;
    if (!start_library()) return -1;
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    if (gcry_cipher_open(&handle, PROVIDER_CIPHER, PROVIDER_MODE, 0)) return -1;
    expanded->handle = handle;
    return gcry_cipher_setkey(handle, key, crypto_cipher_KEYBYTES) ? -1 : 0;
}

void crypto_cipher_release(crypto_cipher_key *expanded)
{
    gcry_cipher_close(expanded->handle);
}

static int start(gcry_cipher_hd_t handle, uint64_t length, const uint8_t *iv)
{
    if (length % crypto_cipher_BLOCKBYTES) return -1;
    if (PROVIDER_MODE == GCRY_CIPHER_MODE_CTR) return gcry_cipher_setctr(handle, iv, crypto_cipher_IVBYTES) ? -1 : 0;
    return crypto_cipher_IVBYTES && gcry_cipher_setiv(handle, iv, crypto_cipher_IVBYTES) ? -1 : 0;
}

int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    const size_t in_length = out == in ? 0 : (size_t)length;
    if (start(expanded->handle, length, iv)) return -1;
    if (!length) return 0;
    return gcry_cipher_encrypt(expanded->handle, out, (size_t)length, out == in ? NULL : in, in_length) ? -1 : 0;
}

int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    const size_t in_length = out == in ? 0 : (size_t)length;
    if (start(expanded->handle, length, iv)) return -1;
    if (!length) return 0;
    return gcry_cipher_decrypt(expanded->handle, out, (size_t)length, out == in ? NULL : in, in_length) ? -1 : 0;
}
