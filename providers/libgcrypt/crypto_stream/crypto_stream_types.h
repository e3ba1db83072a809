/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A handle on the heap with the key set, or what the nonce is to be appended to. */
typedef struct {
    void *handle;
    uint8_t key[PROVIDER_KEYED];
} crypto_stream_key;

/* The keystream goes on in the handle. */
typedef struct {
    void *handle;
} crypto_stream_state;
