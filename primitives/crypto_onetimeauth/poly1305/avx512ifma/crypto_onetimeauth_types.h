/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint64_t lo[8], hi[8]; /* r^8, ..., r: words of 64 bits, */
    uint8_t top[8];        /* and what is beyond 2^128, at most 6 */
} crypto_onetimeauth_key;
