/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES in the counter mode of eSTREAM: block t of keystream is AES_k(B_t), B_t
 * the nonce with its first four bytes, a little-endian number, increased by t
 * modulo 2^32.  One block at a time, for reading. */

#include "crypto_stream.h"

#include "bytes.h"
#include "cipher_ref.h"

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    aes_expandkey(expanded->roundkeys, key);
}

static void next_block(crypto_stream_state *state, uint8_t *keystream)
{
    aes_encrypt(keystream, state->block, state->expanded->roundkeys);
    store_le32(state->block, load_le32(state->block) + 1);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    (void)soon;
    state->expanded = expanded;
    memcpy(state->block, nonce, 16);
    next_block(state, first);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint8_t keystream[16];
    while (length > 0) {
        uint64_t n = length < 16 ? length : 16;
        next_block(state, keystream);
        xor_bytes(out, in, keystream, n);
        out += n;
        in += n;
        length -= n;
    }
}
