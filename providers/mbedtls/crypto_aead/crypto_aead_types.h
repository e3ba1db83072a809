/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <mbedtls/ccm.h>
#include <mbedtls/chachapoly.h>
#include <mbedtls/gcm.h>

#define crypto_aead_RELEASES 1

/* The library's context, with the key set; a mode keeps the cipher's context on the heap. */
typedef struct {
    PROVIDER_CONTEXT context;
} crypto_aead_key;
