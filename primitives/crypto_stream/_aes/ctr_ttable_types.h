/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Expanded key: the round keys as words.  State: the counter block, and what
 * 256 blocks have in common.  AES_ROUNDS is 10 or 14. */
#ifndef AES_CTR_TTABLE_TYPES_H
#define AES_CTR_TTABLE_TYPES_H

typedef struct {
    uint32_t roundkeys[4 * (AES_ROUNDS + 1)];
} crypto_stream_key;

typedef struct {
    const crypto_stream_key *expanded;
    uint32_t nonce[4]; /* columns; column 0 as the counter to come */
    uint32_t round1, round2[4];
} crypto_stream_state;

#endif
