/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* HMAC: RFC 2104. Over a hash without the incremental interface it copies the message behind the
 * padded key, on the heap. */
#include "crypto_auth.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK crypto_hash_BLOCKBYTES
#define HASH crypto_hash_BYTES
#define KEY crypto_auth_KEYBYTES

_Static_assert(BLOCK >= HASH, "HMAC needs a hash no longer than its block (block_bytes in primitive.toml)");
_Static_assert(KEY <= BLOCK, "a key longer than a block is not supported: it would have to be hashed first");

static void pad_key(unsigned char *block, const unsigned char *k, unsigned char pad)
{
    memset(block, pad, BLOCK);
    for (unsigned i = 0; i < KEY; i++) block[i] ^= k[i];
}

#ifdef crypto_hash_INCREMENTAL

static void start_with_key(crypto_hash_state *state, const unsigned char *k, unsigned char pad)
{
    unsigned char block[BLOCK];
    pad_key(block, k, pad);
    crypto_hash_start(state);
    crypto_hash_update(state, block, BLOCK);
}

void crypto_auth_start(crypto_auth_state *state, const unsigned char *k)
{
    start_with_key(&state->inner, k, 0x36);
    start_with_key(&state->outer, k, 0x5c);
}

void crypto_auth_update(crypto_auth_state *state, const unsigned char *in, unsigned long long inlen)
{
    crypto_hash_update(&state->inner, in, inlen);
}

void crypto_auth_end(crypto_auth_state *state, unsigned char *out)
{
    unsigned char hash[HASH];
    crypto_hash_end(&state->inner, hash);
    crypto_hash_update(&state->outer, hash, HASH);
    crypto_hash_end(&state->outer, out);
}

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    crypto_auth_state state;
    crypto_auth_start(&state, k);
    crypto_auth_update(&state, in, inlen);
    crypto_auth_end(&state, out);
    return 0;
}

#else

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    unsigned char outer[BLOCK + HASH];
    unsigned char *inner = malloc(BLOCK + (size_t)inlen);
    if (!inner) return -1;
    pad_key(inner, k, 0x36);
    if (inlen) memcpy(inner + BLOCK, in, (size_t)inlen);
    pad_key(outer, k, 0x5c);
    const int failed = crypto_hash(outer + BLOCK, inner, BLOCK + inlen);
    free(inner);
    return failed ? -1 : crypto_hash(out, outer, sizeof outer);
}

#endif

/* Compares all bytes, so that the time does not depend on them. */
int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    unsigned char right[HASH];
    unsigned difference = 0;
    if (crypto_auth(right, in, inlen, k)) return -1;
    for (unsigned i = 0; i < HASH; i++) difference |= (unsigned)(right[i] ^ h[i]);
    return difference ? -1 : 0;
}
