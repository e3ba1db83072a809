/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define crypto_aead_RELEASES 1

/* One object per direction, on the heap, with the key set. */
typedef struct {
    void *both;
} crypto_aead_key;
