/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CBC, SP 800-38A section 6.2. Encryption is sequential; decryption is not. */
#include "../_modes/mode.h"

int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    uint8_t chain[BLOCK];
    if (length % BLOCK) return -1;
    memcpy(chain, iv, BLOCK);
    for (; length > 0; length -= BLOCK, in += BLOCK, out += BLOCK) {
        xor_bytes(chain, chain, in, BLOCK);
        crypto_blockcipher_encrypt(chain, chain, 1, &expanded->k);
        memcpy(out, chain, BLOCK);
    }
    return 0;
}

int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    uint8_t
        chain[(BATCH_BLOCKS + 1) * BLOCK]; /* the previous block, then a copy of the ciphertext: `out` may be `in` */
    if (length % BLOCK) return -1;
    memcpy(chain, iv, BLOCK);
    while (length > 0) {
        const uint64_t now = length < BATCH_BLOCKS * BLOCK ? length : BATCH_BLOCKS * BLOCK;
        memcpy(chain + BLOCK, in, (size_t)now);
        crypto_blockcipher_decrypt(out, in, now / BLOCK, &expanded->k);
        xor_bytes(out, out, chain, now);
        memmove(chain, chain + now, BLOCK);
        in += now, out += now, length -= now;
    }
    return 0;
}
