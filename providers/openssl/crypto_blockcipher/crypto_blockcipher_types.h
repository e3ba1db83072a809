/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define crypto_blockcipher_RELEASES 1

/* Two contexts on the heap, one per direction, with the key set. */
typedef struct {
    void *encrypt, *decrypt;
} crypto_blockcipher_key;
