/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SALSA_CHACHA_TYPES_H
#define SALSA_CHACHA_TYPES_H

/* The types of every crypto_stream on Salsa20 or ChaCha20.  CIPHER_BUFFER,
 * defined before, is how many blocks the first pass may make. */

#include <stdint.h>

typedef struct {
    uint32_t key[8];
} crypto_stream_key;

typedef struct {
    _Alignas(64) uint8_t ahead[64 * CIPHER_BUFFER]; /* keystream from 0 on */
    const crypto_stream_key *expanded;
    uint32_t blocks; /* how many of `ahead` are there */
    uint8_t nonce[crypto_stream_NONCEBYTES];
} crypto_stream_state;

#endif
