/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* mbed TLS's HMAC and CMAC: the functions for one message at once. */
#include "crypto_auth.h"

#include <mbedtls/cipher.h>
#include <mbedtls/cmac.h>
#include <mbedtls/constant_time.h>
#include <mbedtls/md.h>

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
#ifdef PROVIDER_HMAC
    return mbedtls_md_hmac(mbedtls_md_info_from_type(PROVIDER_HMAC), k, crypto_auth_KEYBYTES, in, (size_t)inlen, out)
               ? -1
               : 0;
#else
    return mbedtls_cipher_cmac(mbedtls_cipher_info_from_type(MBEDTLS_CIPHER_AES_128_ECB), k, 8 * crypto_auth_KEYBYTES,
                               in, (size_t)inlen, out)
               ? -1
               : 0;
#endif
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    unsigned char right[crypto_auth_BYTES];
    if (crypto_auth(right, in, inlen, k)) return -1;
    return mbedtls_ct_memcmp(h, right, sizeof right) ? -1 : 0;
}
