/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libsodium's stream ciphers. Those with an initial-counter call continue from block 1 with it;
 * for the others (salsa2012, salsa208) libsodium only offers the core function, which is called
 * block by block. <sodium.h> is not included, because its crypto_stream_* names clash with ours. */
#include "crypto_stream.h"

#include <sodium/core.h>
#include <sodium/crypto_core_salsa2012.h>
#include <sodium/crypto_core_salsa208.h>
#include <sodium/crypto_stream_chacha20.h>
#include <sodium/crypto_stream_salsa20.h>
#include <sodium/crypto_stream_salsa2012.h>
#include <sodium/crypto_stream_salsa208.h>
#include <string.h>

#include "bytes.h"

#define FIRST crypto_stream_FIRSTBYTES
#define BLOCK 64
#define GLUE(a, b, c) a##b##c
#define NAME(a, b, c) GLUE(a, b, c)

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    (void)sodium_init();
    memcpy(expanded->key, key, sizeof expanded->key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    uint8_t block[BLOCK];
    (void)soon;
    state->key = expanded;
    memcpy(state->nonce, nonce, crypto_stream_NONCEBYTES);
    NAME(crypto_stream_, PROVIDER, )(block, BLOCK, nonce, expanded->key);
    memcpy(first, block, FIRST);
    memcpy(state->rest, block + FIRST, BLOCK - FIRST);
}

#ifdef PROVIDER_COUNTER

static void from_block_1(const crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    NAME(crypto_stream_, PROVIDER, _xor_ic)(out, in, length, state->nonce, 1, state->key->key);
}

#else

static void from_block_1(const crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    uint8_t input[16], block[BLOCK];
    memcpy(input, state->nonce, 8);
    for (uint64_t counter = 1; length > 0; counter++) {
        const uint64_t now = length < BLOCK ? length : BLOCK;
        store_le64(input + 8, counter);
        NAME(crypto_core_, PROVIDER, )(block, input, state->key->key, NULL);
        xor_bytes(out, in, block, now);
        out += now, in += now, length -= now;
    }
}

#endif

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    const uint64_t rest = length < BLOCK - FIRST ? length : BLOCK - FIRST;
    xor_bytes(out, in, state->rest, rest);
    if (length > rest) from_block_1(state, out + rest, in + rest, length - rest);
}
