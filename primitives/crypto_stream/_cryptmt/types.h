/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define BLOCK 623                   /* N: words of the generator, bytes of a block */
#define IV_WORDS (crypto_stream_NONCEBYTES / 4)
#define STEPS (2 * IV_WORDS + BLOCK)    /* of IV set-up and booting together */

/* First half: KE[i], the masks.  Second half: KE[STEPS + i] ^ KE[i + 2]; boot.h
 * says why. */
typedef struct { uint32_t w[2 * STEPS]; } crypto_stream_key;

typedef struct { uint32_t a[8], y[2], lung; } mixer;

typedef struct {
    const crypto_stream_key *key;
    mixer m;
    uint32_t accum;
    uint32_t t[16];                 /* the generator's words so far */
} crypto_stream_state;
