/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* OFB, SP 800-38A section 6.4. The keystream is sequential in both directions. */
#include "../_modes/mode.h"

int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    uint8_t chain[BLOCK];
    memcpy(chain, iv, BLOCK);
    while (length > 0) {
        const uint64_t now = length < BLOCK ? length : BLOCK;
        crypto_blockcipher_encrypt(chain, chain, 1, &expanded->k);
        xor_bytes(out, in, chain, now);
        in += now, out += now, length -= now;
    }
    return 0;
}

int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    return crypto_cipher_encrypt(out, in, length, iv, expanded);
}
