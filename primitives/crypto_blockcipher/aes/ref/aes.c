/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES to be read beside FIPS 197. */
#include "crypto_blockcipher.h"

#include "../../_aes/ref.h"

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32) return -1;
    expanded->rounds = aes_expandkey_any(expanded->w, key, (int)key_bytes / 4);
    return 0;
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    for (; blocks > 0; blocks--, out += 16, in += 16)
        aes_encrypt_any(out, in, expanded->w, expanded->rounds);
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    for (; blocks > 0; blocks--, out += 16, in += 16)
        aes_decrypt_any(out, in, expanded->w, expanded->rounds);
}
