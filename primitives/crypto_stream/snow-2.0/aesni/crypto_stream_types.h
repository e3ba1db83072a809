/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint32_t feedback[16]; /* the key's part in that of clocks 0 .. 15 */
    uint32_t s[7];         /* s9 .. s15 without the nonce */
    uint32_t r1[4], r2[2]; /* R1 after clocks 0 .. 3; R2 after 3 and 4 */
} crypto_stream_key;

typedef struct {
    uint32_t s[16], r1, r2;
} crypto_stream_state;
