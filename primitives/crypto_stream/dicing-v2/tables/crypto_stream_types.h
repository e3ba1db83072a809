/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_STREAM_TYPES_H
#define CRYPTO_STREAM_TYPES_H

#include <stdint.h>

typedef struct {
    uint8_t t[256][8]; /* word T0[v], twice */
    uint32_t k[8];
} crypto_stream_key;

typedef struct {
    const crypto_stream_key *key;
    uint64_t a1[2], a2[2], b1[2], b2[2], p[2], q[2]; /* low half first */
    uint32_t h[4];
    uint32_t d; /* for the next three blocks, first in the highest byte */
} crypto_stream_state;

#endif
