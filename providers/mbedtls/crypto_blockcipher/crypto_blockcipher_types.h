/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <mbedtls/aes.h>

/* A context contains a pointer into itself, so it must not be moved. */
typedef struct {
    mbedtls_aes_context encrypt, decrypt;
} crypto_blockcipher_key;
