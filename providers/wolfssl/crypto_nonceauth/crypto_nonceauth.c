/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* wolfCrypt's GMAC. */
#include "crypto_nonceauth.h"

#include <wolfssl/options.h>
#include <wolfssl/wolfcrypt/aes.h>

int crypto_nonceauth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *n,
                     const unsigned char *k)
{
    Gmac gmac;
    if (wc_AesInit(&gmac.aes, NULL, INVALID_DEVID)) return -1;
    const int failed =
        wc_GmacSetKey(&gmac, k, crypto_nonceauth_KEYBYTES) ||
        wc_GmacUpdate(&gmac, n, crypto_nonceauth_NONCEBYTES, in, (word32)inlen, out, crypto_nonceauth_BYTES);
    wc_AesFree(&gmac.aes);
    return failed ? -1 : 0;
}
