/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <mbedtls/aes.h>

/* A context has a pointer into itself: it works where it was made. */
typedef struct {
    mbedtls_aes_context encrypt;
#ifdef PROVIDER_CBC
    mbedtls_aes_context decrypt;
#endif
} crypto_cipher_key;
