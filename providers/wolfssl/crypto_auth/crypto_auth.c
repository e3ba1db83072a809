/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* wolfCrypt's HMAC and CMAC. */
#include "crypto_auth.h"

#include <wolfssl/options.h>
#include <wolfssl/wolfcrypt/cmac.h>
#include <wolfssl/wolfcrypt/hmac.h>

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
#ifdef PROVIDER_HMAC
    Hmac hmac;
    if (wc_HmacInit(&hmac, NULL, INVALID_DEVID)) return -1;
    const int failed = wc_HmacSetKey(&hmac, PROVIDER_HMAC, k, crypto_auth_KEYBYTES) ||
                       wc_HmacUpdate(&hmac, in, (word32)inlen) || wc_HmacFinal(&hmac, out);
    wc_HmacFree(&hmac);
    return failed ? -1 : 0;
#else
    word32 length = crypto_auth_BYTES;
    return wc_AesCmacGenerate(out, &length, in, (word32)inlen, k, crypto_auth_KEYBYTES) ? -1 : 0;
#endif
}

/* Compares every byte, because the library's own constant-time comparison is not public. */
int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    unsigned char right[crypto_auth_BYTES];
    unsigned different = 0;
    if (crypto_auth(right, in, inlen, k)) return -1;
    for (unsigned i = 0; i < sizeof right; i++) different |= h[i] ^ right[i];
    return different ? -1 : 0;
}
