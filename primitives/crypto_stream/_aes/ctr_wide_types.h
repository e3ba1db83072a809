/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Expanded key: the round keys, and nothing else.  State: where the packet's
 * counter starts, and keystream made ahead of time.  AES_ROUNDS is 10 or 14;
 * AES_AHEAD is how many blocks after the first are made together with it when
 * bytes are needed soon. */
#ifndef AES_CTR_WIDE_TYPES_H
#define AES_CTR_WIDE_TYPES_H

typedef struct {
    uint8_t roundkeys[16 * (AES_ROUNDS + 1)];
} crypto_stream_key;

typedef struct {
    const crypto_stream_key *expanded;
    uint64_t ahead_bytes;          /* 0 or 16 AES_AHEAD */
    uint8_t nonce[16];
    uint8_t ahead[16 * AES_AHEAD]; /* keystream from byte 16 on */
} crypto_stream_state;

#endif
