/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint32_t x[8], c[8], b; /* state words, counter, its carry */
} crypto_stream_key;

typedef crypto_stream_key crypto_stream_state;
