/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* wolfCrypt's SHAKE256. */
#include "crypto_xof.h"

#include <wolfssl/options.h>
#include <wolfssl/wolfcrypt/hash.h>

int crypto_xof(unsigned char *out, unsigned long long outlen, const unsigned char *in, unsigned long long inlen)
{
    return wc_Shake256Hash(in, (word32)inlen, out, (word32)outlen) ? -1 : 0;
}
