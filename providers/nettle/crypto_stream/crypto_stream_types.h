/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <nettle/arcfour.h>
#include <nettle/chacha.h>
#include <nettle/salsa20.h>

typedef struct {
#ifdef PROVIDER_ARCFOUR
    uint8_t key[crypto_stream_KEYBYTES];
#else
    PROVIDER_CONTEXT context;
#endif
} crypto_stream_key;

typedef struct {
    PROVIDER_CONTEXT context;
    uint8_t rest[48]; /* rest of the first block, since a call must start at a block boundary */
} crypto_stream_state;
