/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MACs that chain a block cipher over the message and treat the last block specially. Define
 * before the #include:
 *
 *   static void last_block(chained_state *state);
 *       completes state->block (state->filled bytes of it are from the message; 0
 *       only if the message is empty). The result is chained, and the chain
 *       is the authenticator
 */
#include <string.h>

#include "bytes.h"

#define BLOCK crypto_blockcipher_BLOCKBYTES

static void last_block(chained_state *state);

static void chain(chained_state *state, const unsigned char *block)
{
    xor_bytes(state->chain, state->chain, block, BLOCK);
    crypto_blockcipher_encrypt(state->chain, state->chain, 1, &state->key);
}

static int chained_start(chained_state *state, const unsigned char *k)
{
    memset(state->chain, 0, BLOCK);
    state->filled = 0;
    return crypto_blockcipher_expandkey(&state->key, k, crypto_auth_KEYBYTES);
}

/* A full block waits until more data shows that it is not the last. */
static void chained_update(chained_state *state, const unsigned char *in, unsigned long long inlen)
{
    if (!inlen) return;
    const unsigned room = BLOCK - state->filled;
    const unsigned taken = inlen < room ? (unsigned)inlen : room;
    memcpy(state->block + state->filled, in, taken);
    state->filled += taken, in += taken, inlen -= taken;
    if (!inlen) return;
    chain(state, state->block);
    for (; inlen > BLOCK; in += BLOCK, inlen -= BLOCK) chain(state, in);
    memcpy(state->block, in, (size_t)inlen);
    state->filled = (unsigned)inlen;
}

static void chained_end(chained_state *state, unsigned char *out)
{
    last_block(state);
    chain(state, state->block);
    memcpy(out, state->chain, BLOCK);
}

#ifdef crypto_auth_INCREMENTAL

void crypto_auth_start(crypto_auth_state *state, const unsigned char *k)
{
    (void)chained_start(state, k); /* the key length is valid */
}

void crypto_auth_update(crypto_auth_state *state, const unsigned char *in, unsigned long long inlen)
{
    chained_update(state, in, inlen);
}

void crypto_auth_end(crypto_auth_state *state, unsigned char *out)
{
    chained_end(state, out);
}

#endif

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    chained_state state;
    if (chained_start(&state, k)) return -1;
    chained_update(&state, in, inlen);
    chained_end(&state, out);
#ifdef crypto_blockcipher_RELEASES
    crypto_blockcipher_release(&state.key);
#endif
    return 0;
}

/* Compares all bytes, so that the time does not depend on them. */
int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    unsigned char right[BLOCK];
    unsigned difference = 0;
    if (crypto_auth(right, in, inlen, k)) return -1;
    for (unsigned i = 0; i < BLOCK; i++) difference |= (unsigned)(right[i] ^ h[i]);
    return difference ? -1 : 0;
}
