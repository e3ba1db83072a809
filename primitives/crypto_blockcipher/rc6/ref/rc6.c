/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RC6-32/20 to be read beside its paper, block by block. */
#include "../../_rc6/rc6.h"

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) rc6_encrypt_block(out, in, expanded->s);
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) rc6_decrypt_block(out, in, expanded->s);
}
