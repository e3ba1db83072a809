/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define BLOCK 623   /* N: words of the generator, bytes of a block */
#define IV_WORDS (crypto_stream_NONCEBYTES / 4)

typedef struct { uint32_t ke[2 * BLOCK + 4 * IV_WORDS]; } crypto_stream_key;

typedef struct {
    const crypto_stream_key *key;
    uint32_t b[3 * IV_WORDS + BLOCK];
    uint32_t lung, accum, y;
    int bytes;              /* made so far; kk after the first BLOCK */
    int booting;
} crypto_stream_state;
