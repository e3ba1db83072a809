/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-CTR in constant time without AES instructions: 4 AES_LANES bitsliced
 * blocks at a time (see cipher_bitsliced.h).  One block costs as much as all
 * of them, so `soon` changes nothing. */

#include "crypto_stream.h"

#include "cipher_bitsliced.h"

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    aes_expandkey_bitsliced(expanded->roundkeys, key);
}

static void next_blocks(uint8_t *keystream, uint32_t *counter_block,
                        const uint64_t *roundkeys)
{
    uint32_t block[4 * AES_LANES][4];
    for (int b = 0; b < 4 * AES_LANES; b++) {
        memcpy(block[b], counter_block, 16);
        counter_block[0]++;
    }
    aes_encrypt_bitsliced(keystream, block, roundkeys);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    (void)soon;
    state->expanded = expanded;
    for (int i = 0; i < 4; i++) state->block[i] = load_le32(nonce + 4 * i);
    next_blocks(state->keystream, state->block, expanded->roundkeys);
    memcpy(first, state->keystream, 16);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint64_t used = 16;
    for (;;) {
        uint64_t n = length < AES_BATCH - used ? length : AES_BATCH - used;
        xor_bytes(out, in, state->keystream + used, n);
        length -= n;
        if (length == 0) return;
        out += n;
        in += n;
        used = 0;
        next_blocks(state->keystream, state->block, state->expanded->roundkeys);
    }
}
