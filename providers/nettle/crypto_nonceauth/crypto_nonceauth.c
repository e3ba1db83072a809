/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* nettle's UMAC, GMAC and Poly1305-AES, whose functions have the same shape. */
#include "crypto_nonceauth.h"

#define NAME CRYPTO_NONCEAUTH_NAME
#define gcm_aes128_set_nonce(ctx, length, nonce) gcm_aes128_set_iv(ctx, length, nonce)
#define NONCE crypto_nonceauth_NONCEBYTES

#ifdef PROVIDER_ONESHOT
#define INTERNAL static
#else
#define INTERNAL
#endif

INTERNAL int crypto_nonceauth_expandkey(crypto_nonceauth_key *expanded, const unsigned char *k)
{
    NAME(PROVIDER_MAC, _set_key)(expanded, k);
    return 0;
}

INTERNAL void crypto_nonceauth_start(crypto_nonceauth_state *state, const unsigned char *n,
                                     const crypto_nonceauth_key *expanded)
{
    state->ctx = (crypto_nonceauth_key *)expanded; /* every message leaves it ready for the next */
#ifdef PROVIDER_ONENONCE                           /* only UMAC takes the length of the nonce */
    NAME(PROVIDER_MAC, _set_nonce)(state->ctx, n);
#else
    NAME(PROVIDER_MAC, _set_nonce)(state->ctx, NONCE, n);
#endif
}

INTERNAL void crypto_nonceauth_update(crypto_nonceauth_state *state, const unsigned char *in, unsigned long long inlen)
{
    NAME(PROVIDER_MAC, _update)(state->ctx, (size_t)inlen, in);
}

INTERNAL void crypto_nonceauth_end(crypto_nonceauth_state *state, unsigned char *out)
{
    NAME(PROVIDER_MAC, _digest)(state->ctx, crypto_nonceauth_BYTES, out);
}

int crypto_nonceauth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *n,
                     const unsigned char *k)
{
    crypto_nonceauth_key key;
    crypto_nonceauth_state state;
    crypto_nonceauth_expandkey(&key, k);
    crypto_nonceauth_start(&state, n, &key);
    crypto_nonceauth_update(&state, in, inlen);
    crypto_nonceauth_end(&state, out);
    return 0;
}
