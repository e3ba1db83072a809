/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <mbedtls/aes.h>

/* A context contains a pointer into itself, so it must not be moved. */
typedef struct {
    mbedtls_aes_context encrypt;
#ifdef PROVIDER_CBC
    mbedtls_aes_context decrypt;
#endif
} crypto_cipher_key;
