/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES_ROUNDS is 10 or 14. */
#ifndef GCM_REF_TYPES_H
#define GCM_REF_TYPES_H

typedef struct {
    uint8_t roundkeys[16 * (AES_ROUNDS + 1)];
    uint8_t H[16]; /* the hash subkey, AES_k(0) */
} crypto_aead_key;

#endif
