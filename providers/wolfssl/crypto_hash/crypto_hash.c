/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* wolfCrypt's hash functions: the functions for one message at once; BLAKE2 has none. */
#include "crypto_hash.h"

#include <wolfssl/options.h>
#include <wolfssl/wolfcrypt/blake2.h>
#include <wolfssl/wolfcrypt/hash.h>
#include <wolfssl/wolfcrypt/sha3.h>

#define GLUE(a, b) wc_##a##b
#define NAME(a, b) GLUE(a, b)

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
#ifdef PROVIDER_BLAKE2
    PROVIDER_BLAKE2 state;
    if (NAME(Init, PROVIDER_BLAKE2)(&state, crypto_hash_BYTES)) return -1;
    if (NAME(PROVIDER_BLAKE2, Update)(&state, in, (word32)inlen)) return -1;
    return NAME(PROVIDER_BLAKE2, Final)(&state, out, crypto_hash_BYTES) ? -1 : 0;
#else
    return NAME(PROVIDER_HASH, Hash)(in, (word32)inlen, out) ? -1 : 0;
#endif
}
