/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef DRAGON_TYPES_H
#define DRAGON_TYPES_H

/* The types of every crypto_stream on Dragon */

#include <stdint.h>

typedef struct {
    uint32_t k[8];
} crypto_stream_key;

typedef struct {
    uint32_t b[32]; /* the shift register */
    uint64_t m;     /* the counter */
} crypto_stream_state;

#endif
