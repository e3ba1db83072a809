/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint64_t lo[4], hi[4]; /* r^4, r^2, r^3, r: words of 64 bits, */
    uint8_t top[4];        /* and what is beyond 2^128, at most 6 */
} crypto_onetimeauth_key;
