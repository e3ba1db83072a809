/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libsodium's HMACs. Uses the calls that take a key length, because the one-shot calls require 32
 * bytes for every hash. */
#include "crypto_auth.h"

#include <sodium/crypto_verify_32.h>
#include <sodium/crypto_verify_64.h>

#if crypto_auth_BYTES == 32
#define SAME crypto_verify_32
#else
#define SAME crypto_verify_64
_Static_assert(crypto_auth_BYTES == 64, "this glue has HMAC with SHA-256 and SHA-512");
#endif

void crypto_auth_start(crypto_auth_state *state, const unsigned char *k)
{
    (void)PROVIDER_NAME(crypto_auth_, PROVIDER_AUTH, _init)(state, k, crypto_auth_KEYBYTES);
}

void crypto_auth_update(crypto_auth_state *state, const unsigned char *in, unsigned long long inlen)
{
    (void)PROVIDER_NAME(crypto_auth_, PROVIDER_AUTH, _update)(state, in, inlen);
}

void crypto_auth_end(crypto_auth_state *state, unsigned char *out)
{
    (void)PROVIDER_NAME(crypto_auth_, PROVIDER_AUTH, _final)(state, out);
}

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    crypto_auth_state state;
    crypto_auth_start(&state, k);
    crypto_auth_update(&state, in, inlen);
    crypto_auth_end(&state, out);
    return 0;
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    unsigned char right[crypto_auth_BYTES];
    (void)crypto_auth(right, in, inlen, k);
    return SAME(h, right);
}
