/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libtomcrypt's HMAC and OMAC1 (CMAC): the functions for one message at once. */
#include "crypto_auth.h"

#include <tomcrypt.h>

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    static int index = -1;
    unsigned long length = crypto_auth_BYTES;
    if (index < 0) index = PROVIDER_REGISTER(&PROVIDER_OF);
    return PROVIDER_MAC(index, k, crypto_auth_KEYBYTES, in, (unsigned long)inlen, out, &length) == CRYPT_OK &&
                   length == crypto_auth_BYTES
               ? 0
               : -1;
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    unsigned char right[crypto_auth_BYTES];
    if (crypto_auth(right, in, inlen, k)) return -1;
    return mem_neq(h, right, sizeof right) ? -1 : 0;
}
