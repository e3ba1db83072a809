/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* nettle's hash functions, by their descriptions in nettle-meta.h. */
#include "crypto_hash.h"

#include <nettle/nettle-meta.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/sha3.h>

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    PROVIDER_CONTEXT ctx;
    PROVIDER_HASH.init(&ctx);
    PROVIDER_HASH.update(&ctx, (size_t)inlen, in);
    PROVIDER_HASH.digest(&ctx, crypto_hash_BYTES, out);
    return 0;
}
