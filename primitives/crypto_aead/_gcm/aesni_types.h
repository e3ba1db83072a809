/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES_ROUNDS is 10 or 14; GCM_POWERS is how many powers of the hash subkey are
 * kept: the more, the rarer the reductions.  One array, because a load of
 * several powers may run on into the round keys (and meets zeros there). */
#ifndef GCM_AESNI_TYPES_H
#define GCM_AESNI_TYPES_H

typedef struct {
    uint8_t powers[16 * GCM_POWERS + 16 * (AES_ROUNDS + 1)];
} crypto_aead_key;

#endif
