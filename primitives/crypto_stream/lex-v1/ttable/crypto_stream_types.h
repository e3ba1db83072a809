/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint32_t roundkeys[44];
} crypto_stream_key;

typedef struct {
    const crypto_stream_key *expanded;
    uint32_t s[4];/* after round 4 of the first E whose leaks count */
} crypto_stream_state;
