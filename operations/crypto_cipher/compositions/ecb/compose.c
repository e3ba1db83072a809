/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ECB, SP 800-38A section 6.1. */
#include "../_modes/mode.h"

int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    (void)iv;
    if (length % BLOCK) return -1;
    crypto_blockcipher_encrypt(out, in, length / BLOCK, &expanded->k);
    return 0;
}

int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    (void)iv;
    if (length % BLOCK) return -1;
    crypto_blockcipher_decrypt(out, in, length / BLOCK, &expanded->k);
    return 0;
}
