/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* mbed TLS's hash functions: the functions for one message at once. */
#include "crypto_hash.h"

#include <mbedtls/sha1.h>
#include <mbedtls/sha256.h>
#include <mbedtls/sha512.h>

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
#if crypto_hash_BYTES == 20
    return mbedtls_sha1_ret(in, (size_t)inlen, out) ? -1 : 0;
#elif crypto_hash_BYTES <= 32
    return mbedtls_sha256_ret(in, (size_t)inlen, out, crypto_hash_BYTES == 28) ? -1 : 0;
#else
    return mbedtls_sha512_ret(in, (size_t)inlen, out, crypto_hash_BYTES == 48) ? -1 : 0;
#endif
}
