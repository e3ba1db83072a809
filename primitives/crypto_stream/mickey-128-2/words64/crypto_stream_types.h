/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t key[16];
} crypto_stream_key;

/* Windows of the registers, see mickey_128_2.c */
typedef struct {
    uint64_t r_54, r43, r96, s0, s48, s96;
} crypto_stream_state;
