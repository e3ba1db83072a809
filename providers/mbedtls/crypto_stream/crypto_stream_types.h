/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <mbedtls/arc4.h>
#include <mbedtls/chacha20.h>

typedef struct {
#ifdef PROVIDER_ARC4
    uint8_t key[crypto_stream_KEYBYTES];
#else
    mbedtls_chacha20_context context;
#endif
} crypto_stream_key;

typedef struct {
#ifdef PROVIDER_ARC4
    mbedtls_arc4_context context;
#else
    mbedtls_chacha20_context context;
#endif
} crypto_stream_state;
