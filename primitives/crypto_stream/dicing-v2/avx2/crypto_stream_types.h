/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_STREAM_TYPES_H
#define CRYPTO_STREAM_TYPES_H

#include <stdint.h>

typedef struct {
    uint8_t a[2][16], e[2][16]; /* A and A + B of low and of high nibbles */
    uint8_t k[32];
    uint8_t c1;
    uint8_t constant; /* what the constants of T0 give, in every byte */
} crypto_stream_key;

typedef struct {
    const crypto_stream_key *key;
    uint8_t b[32];  /* b1, b2 */
    uint8_t pq[32]; /* p, q, with constants: see avx512 */
    uint8_t h[16];  /* h, with a constant */
    uint64_t a1[2], a2[2];
} crypto_stream_state;

#endif
