/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint32_t r[5]; /* clamped, 26 bits each */
} crypto_onetimeauth_key;
