/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Expanded key: the round keys, each as it is added to four bitsliced blocks.
 * State: keystream comes 64 AES_LANES bytes at a time, so a packet's start has
 * many to spare.  AES_ROUNDS is 10 or 14. */
#ifndef AES_CTR_BITSLICED_TYPES_H
#define AES_CTR_BITSLICED_TYPES_H

typedef struct {
    uint64_t roundkeys[8 * (AES_ROUNDS + 1)];
} crypto_stream_key;

typedef struct {
    const crypto_stream_key *expanded;
    uint32_t block[4]; /* the counter block to come, as little-endian words */
    uint8_t keystream[64 * AES_LANES];
} crypto_stream_state;

#endif
