/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#include "parameters.h"

typedef struct { uint32_t y[PY_WORDS]; } crypto_stream_key;

/* How many places the arrays roll before they are moved back. */
#define PY_ROOM (2 * PY_WORDS + 512)

typedef struct {
    uint32_t y[PY_WORDS + PY_ROOM]; /* Y[-3] is y[at] */
    uint8_t p[PY_SIZE + PY_ROOM];   /* P[0] is p[at] */
    uint32_t s, at;
} crypto_stream_state;
