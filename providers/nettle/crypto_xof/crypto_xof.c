/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* nettle's SHAKE256. */
#include "crypto_xof.h"

#include <nettle/sha3.h>

int crypto_xof(unsigned char *out, unsigned long long outlen, const unsigned char *in, unsigned long long inlen)
{
    struct sha3_256_ctx ctx;
    sha3_256_init(&ctx);
    sha3_256_update(&ctx, (size_t)inlen, in);
    sha3_256_shake(&ctx, (size_t)outlen, out);
    return 0;
}
