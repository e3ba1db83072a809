/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libsodium's hash functions. */
#include "crypto_hash.h"

#include <sodium/core.h>

#ifdef PROVIDER_BLAKE2B

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    (void)sodium_init();
    return crypto_generichash_blake2b(out, crypto_hash_BYTES, in, inlen, NULL, 0);
}

void crypto_hash_start(crypto_hash_state *state)
{
    (void)sodium_init();
    (void)crypto_generichash_blake2b_init(state, NULL, 0, crypto_hash_BYTES);
}

void crypto_hash_update(crypto_hash_state *state, const unsigned char *in, unsigned long long inlen)
{
    (void)crypto_generichash_blake2b_update(state, in, inlen);
}

void crypto_hash_end(crypto_hash_state *state, unsigned char *out)
{
    (void)crypto_generichash_blake2b_final(state, out, crypto_hash_BYTES);
}

#else

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    return PROVIDER_NAME(crypto_hash_, PROVIDER_HASH, )(out, in, inlen);
}

void crypto_hash_start(crypto_hash_state *state)
{
    (void)PROVIDER_NAME(crypto_hash_, PROVIDER_HASH, _init)(state);
}

void crypto_hash_update(crypto_hash_state *state, const unsigned char *in, unsigned long long inlen)
{
    (void)PROVIDER_NAME(crypto_hash_, PROVIDER_HASH, _update)(state, in, inlen);
}

void crypto_hash_end(crypto_hash_state *state, unsigned char *out)
{
    (void)PROVIDER_NAME(crypto_hash_, PROVIDER_HASH, _final)(state, out);
}

#endif
