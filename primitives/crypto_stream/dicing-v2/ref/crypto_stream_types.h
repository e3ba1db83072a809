/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_STREAM_TYPES_H
#define CRYPTO_STREAM_TYPES_H

#include <stdint.h>

typedef struct {
    uint32_t t[4][256]; /* the key-dependent tables */
    uint32_t k[8];
} crypto_stream_key;

typedef struct {
    const crypto_stream_key *key;
    uint64_t a1[2], a2[2], b1[2], b2[2]; /* 128 bits, low half first */
    uint32_t h[4], p[4], q[4];
} crypto_stream_state;

#endif
