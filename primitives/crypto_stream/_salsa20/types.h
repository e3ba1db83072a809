/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SALSA20_TYPES_H
#define SALSA20_TYPES_H

/* The types of every crypto_stream on Salsa20.  SALSA20_BUFFER, defined
 * before, is how many blocks the first pass may make. */

#include <stdint.h>

typedef struct {
    uint32_t key[8];
} crypto_stream_key;

typedef struct {
    _Alignas(64) uint8_t ahead[64 * SALSA20_BUFFER]; /* keystream from 0 on */
    const crypto_stream_key *expanded;
    uint32_t blocks; /* how many of `ahead` are there */
    uint8_t nonce[8];
} crypto_stream_state;

#endif
