/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint32_t x[8];
    uint64_t c[4], b; /* counter, two words in each; its carry */
} crypto_stream_key;

typedef crypto_stream_key crypto_stream_state;
