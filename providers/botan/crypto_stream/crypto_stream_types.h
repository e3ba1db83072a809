/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An object on the heap with the key set, and the key for ciphers that take it again with each
 * nonce. */
typedef struct {
    void *cipher;
    uint8_t key[crypto_stream_KEYBYTES];
} crypto_stream_key;

/* The object holds the position in the keystream. */
typedef struct {
    void *cipher;
} crypto_stream_state;
