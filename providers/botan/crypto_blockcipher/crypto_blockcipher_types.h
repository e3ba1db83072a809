/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define crypto_blockcipher_RELEASES 1

/* An object on the heap, with the key set. */
typedef struct {
    void *cipher;
} crypto_blockcipher_key;
