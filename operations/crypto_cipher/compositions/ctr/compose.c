/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CTR, SP 800-38A section 6.5, with the standard incrementing function of
 * appendix B.1 on the whole block, big-endian. */
#include "../_modes/mode.h"

static void increment(uint8_t *counter)
{
    for (unsigned i = BLOCK; i > 0 && ++counter[i - 1] == 0; i--) continue;
}

int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    uint8_t counter[BLOCK], pad[BATCH_BLOCKS * BLOCK];
    memcpy(counter, iv, BLOCK);
    while (length > 0) {
        const uint64_t now = length < sizeof pad ? length : sizeof pad;
        const uint64_t blocks = (now + BLOCK - 1) / BLOCK;
        for (uint64_t i = 0; i < blocks; i++) {
            memcpy(pad + i * BLOCK, counter, BLOCK);
            increment(counter);
        }
        crypto_blockcipher_encrypt(pad, pad, blocks, &expanded->k);
        xor_bytes(out, in, pad, now);
        in += now, out += now, length -= now;
    }
    return 0;
}

int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    return crypto_cipher_encrypt(out, in, length, iv, expanded);
}
