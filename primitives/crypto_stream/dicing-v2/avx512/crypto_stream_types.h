/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_STREAM_TYPES_H
#define CRYPTO_STREAM_TYPES_H

#include <stdint.h>

typedef struct {
    uint64_t a, e; /* the matrices of A and A + B */
    uint8_t k[32];
    uint8_t c1;
    uint8_t constant; /* what the constants of T0 give, in every byte */
} crypto_stream_key;

typedef struct {
    _Alignas(64) uint8_t left[64]; /* keystream made early */
    uint8_t b[32];                 /* b1, b2 */
    uint8_t pq[32];                /* p, q, with constants: see dicing.c */
    uint8_t h[16];                 /* h, with a constant */
    uint64_t a1[2], a2[2];
    uint64_t a, e;
    unsigned count; /* bytes of left */
} crypto_stream_state;

#endif
