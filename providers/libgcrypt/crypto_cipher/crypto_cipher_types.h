/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define crypto_cipher_RELEASES 1

/* A handle on the heap, with the key set. */
typedef struct {
    void *handle;
} crypto_cipher_key;
