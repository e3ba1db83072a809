/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* nettle's HMAC and CMAC. */
#include "crypto_auth.h"

#include <nettle/cmac.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>

#define GLUE(a, b) a##b
#define NAME(a, b) GLUE(a, b)

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    struct NAME(PROVIDER_MAC, _ctx) ctx;
#ifdef PROVIDER_KEYLENGTH
    NAME(PROVIDER_MAC, _set_key)(&ctx, crypto_auth_KEYBYTES, k);
#else
    NAME(PROVIDER_MAC, _set_key)(&ctx, k);
#endif
    NAME(PROVIDER_MAC, _update)(&ctx, (size_t)inlen, in);
    NAME(PROVIDER_MAC, _digest)(&ctx, crypto_auth_BYTES, out);
    return 0;
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    unsigned char right[crypto_auth_BYTES];
    crypto_auth(right, in, inlen, k);
    return memeql_sec(h, right, sizeof right) ? 0 : -1;
}
