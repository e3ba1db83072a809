/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The round keys, and nothing else.  AES_ROUNDS is 10 or 14. */
#ifndef AES_CTR_REF_TYPES_H
#define AES_CTR_REF_TYPES_H

typedef struct {
    uint8_t roundkeys[16 * (AES_ROUNDS + 1)];
} crypto_stream_key;

typedef struct {
    const crypto_stream_key *expanded;
    uint8_t block[16]; /* B_t, the next input of AES */
} crypto_stream_state;

#endif
