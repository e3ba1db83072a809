/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets of a cipher of eSTREAM's API: whole blocks for the first 16 bytes of keystream,
 * the rest of those blocks, then one call for all other bytes. */
#include "crypto_stream.h"

#include <string.h>

void estream_key(void *ctx, const unsigned char *key);
void estream_iv(void *ctx, const unsigned char *iv);
void estream_blocks(void *ctx, const unsigned char *in, unsigned char *out, unsigned blocks);
void estream_bytes(void *ctx, const unsigned char *in, unsigned char *out, unsigned length);

#define FIRST crypto_stream_FIRSTBYTES
#define LEFT (ESTREAM_FIRSTBYTES - FIRST)

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    memset(expanded, 0, sizeof *expanded);
    estream_key(expanded->context, key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    static const unsigned char zero[ESTREAM_FIRSTBYTES];
    (void)soon;
    memcpy(state->context, expanded->context, sizeof state->context);
    estream_iv(state->context, nonce);
    estream_blocks(state->context, zero, state->blocks, ESTREAM_FIRSTBLOCKS);
    memcpy(first, state->blocks, FIRST);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    const uint64_t left = length < LEFT ? length : LEFT;
    for (uint64_t i = 0; i < left; i++) out[i] = in[i] ^ state->blocks[FIRST + i];
    if (length > left) estream_bytes(state->context, in + left, out + left, (unsigned)(length - left));
}
