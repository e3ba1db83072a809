/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libgcrypt's block ciphers in ECB mode. */
#include "crypto_blockcipher.h"

#include "../start.h"

#define BLOCK crypto_blockcipher_BLOCKBYTES

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    static const int algorithms[3] = {PROVIDER_128, PROVIDER_192, PROVIDER_256};
    const uint64_t which = key_bytes / 8 - 2;
    gcry_cipher_hd_t handle;
    expanded->handle = NULL;
    if (key_bytes % 8 || which > 2 || !start_library()) return -1;
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    if (gcry_cipher_open(&handle, algorithms[which], GCRY_CIPHER_MODE_ECB, 0)) return -1;
    expanded->handle = handle;
    return gcry_cipher_setkey(handle, key, (size_t)key_bytes) ? -1 : 0;
}

void crypto_blockcipher_release(crypto_blockcipher_key *expanded)
{
    gcry_cipher_close(expanded->handle);
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    const size_t bytes = (size_t)blocks * BLOCK;
    if (bytes) gcry_cipher_encrypt(expanded->handle, out, bytes, out == in ? NULL : in, out == in ? 0 : bytes);
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    const size_t bytes = (size_t)blocks * BLOCK;
    if (bytes) gcry_cipher_decrypt(expanded->handle, out, bytes, out == in ? NULL : in, out == in ? 0 : bytes);
}
