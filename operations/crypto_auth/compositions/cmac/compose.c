/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CMAC, SP 800-38B: a full last block is masked with 2L, a partial one is padded and masked with
 * 4L, where L is the encrypted zero block and doubling is in the field of 2^128 or 2^64 elements
 * (section 5.3). */
#include "crypto_auth.h"

#include "../_chained/chain.h"

_Static_assert(BLOCK == 16 || BLOCK == 8, "SP 800-38B defines CMAC for blocks of 8 and 16 bytes");
#define REDUCTION (BLOCK == 16 ? 0x87 : 0x1b)

static void doubled(unsigned char *block)
{
    const unsigned char reduced = (unsigned char)(-(block[0] >> 7) & REDUCTION);
    for (unsigned i = 0; i + 1 < BLOCK; i++) block[i] = (unsigned char)(block[i] << 1 | block[i + 1] >> 7);
    block[BLOCK - 1] = (unsigned char)(block[BLOCK - 1] << 1) ^ reduced;
}

static void last_block(chained_state *state)
{
    unsigned char mask[BLOCK] = {0};
    crypto_blockcipher_encrypt(mask, mask, 1, &state->key);
    doubled(mask);
    if (state->filled < BLOCK) {
        doubled(mask);
        memset(state->block + state->filled, 0, BLOCK - state->filled);
        state->block[state->filled] = 0x80;
    }
    xor_bytes(state->block, state->block, mask, BLOCK);
}
