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
    uint8_t rest[48]; /* of the first block: a call takes up where a block begins */
} crypto_stream_state;
