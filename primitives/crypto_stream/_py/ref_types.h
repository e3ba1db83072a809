/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#include "parameters.h"

typedef struct { uint32_t y[PY_WORDS]; } crypto_stream_key;

typedef struct {
    uint8_t p[PY_SIZE];
    uint32_t y[PY_WORDS];   /* Y[-3] first */
    uint32_t s;
} crypto_stream_state;
