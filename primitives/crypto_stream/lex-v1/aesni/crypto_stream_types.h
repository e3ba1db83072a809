/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t roundkeys[176];
} crypto_stream_key;

typedef struct {
    const crypto_stream_key *expanded;
    uint8_t s[16]; /* after round 4 of the first E whose leaks count */
} crypto_stream_state;
