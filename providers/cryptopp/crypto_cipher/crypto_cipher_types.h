/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define crypto_cipher_RELEASES 1

/* The objects of both directions, on the heap, with the key set. */
typedef struct {
    void *both;
} crypto_cipher_key;
