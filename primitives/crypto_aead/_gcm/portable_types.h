/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The round keys, each as it is added to four bitsliced blocks, and the hash
 * subkey times x as two 64-bit halves, low half first.  AES_ROUNDS is 10 or
 * 14. */
#ifndef GCM_PORTABLE_TYPES_H
#define GCM_PORTABLE_TYPES_H

typedef struct {
    uint64_t roundkeys[8 * (AES_ROUNDS + 1)];
    uint64_t H[2];
} crypto_aead_key;

#endif
