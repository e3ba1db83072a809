/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct { uint32_t z[4], x, d[3], e[33]; } crypto_stream_key;
typedef crypto_stream_key crypto_stream_state;
