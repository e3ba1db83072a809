/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t roundkeys[176];
} crypto_stream_key;

typedef struct {
    const crypto_stream_key *expanded;
    uint8_t s[16];    /* the state, column by column as in FIPS 197 */
    uint8_t leak[40]; /* what the last ten rounds leaked */
} crypto_stream_state;
