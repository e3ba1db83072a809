/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define AES_ROUNDS 10
#define AES_LANES 1

typedef struct {
    uint64_t roundkeys[88]; /* bitsliced, each four times over */
} crypto_stream_key;

typedef struct {
    const crypto_stream_key *expanded;
    uint64_t q[8]; /* after round 4 of the first E whose leaks count */
} crypto_stream_state;
