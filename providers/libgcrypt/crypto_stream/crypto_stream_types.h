/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A handle on the heap with the key set, or the bytes to which the nonce is appended. */
typedef struct {
    void *handle;
    uint8_t key[PROVIDER_KEYED];
} crypto_stream_key;

/* The handle holds the position in the keystream. */
typedef struct {
    void *handle;
} crypto_stream_state;
