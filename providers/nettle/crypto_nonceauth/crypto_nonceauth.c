/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* nettle's UMAC, GMAC and Poly1305-AES, whose functions have the same shape. */
#include "crypto_nonceauth.h"

#include <nettle/gcm.h>
#include <nettle/poly1305.h>
#include <nettle/umac.h>

#define GLUE(a, b) a##b
#define NAME(a, b) GLUE(a, b)
#define gcm_aes128_set_nonce(ctx, length, nonce) gcm_aes128_set_iv(ctx, length, nonce)
#define NONCE crypto_nonceauth_NONCEBYTES

int crypto_nonceauth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *n,
                     const unsigned char *k)
{
    struct NAME(PROVIDER_MAC, _ctx) ctx;
    NAME(PROVIDER_MAC, _set_key)(&ctx, k);
#ifdef PROVIDER_ONENONCE /* only UMAC takes the length of the nonce */
    NAME(PROVIDER_MAC, _set_nonce)(&ctx, n);
#else
    NAME(PROVIDER_MAC, _set_nonce)(&ctx, NONCE, n);
#endif
    NAME(PROVIDER_MAC, _update)(&ctx, (size_t)inlen, in);
    NAME(PROVIDER_MAC, _digest)(&ctx, crypto_nonceauth_BYTES, out);
    return 0;
}
