/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libtomcrypt's hash functions, by their descriptors. */
#include "crypto_hash.h"

#include <tomcrypt.h>

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;
    if (PROVIDER_HASH.hashsize != crypto_hash_BYTES || PROVIDER_HASH.init(&state) != CRYPT_OK) return -1;
    if (PROVIDER_HASH.process(&state, in, (unsigned long)inlen) != CRYPT_OK) return -1;
    return PROVIDER_HASH.done(&state, out) == CRYPT_OK ? 0 : -1;
}
