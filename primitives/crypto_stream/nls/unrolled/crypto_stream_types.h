/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_STREAM_TYPES_H
#define CRYPTO_STREAM_TYPES_H

#include <stdint.h>

typedef struct {
    uint32_t r[17];
    uint32_t konst;
} crypto_stream_key;

typedef crypto_stream_key crypto_stream_state;

#endif
