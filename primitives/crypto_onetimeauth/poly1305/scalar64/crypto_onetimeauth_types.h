/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint64_t r[2]; /* clamped */
} crypto_onetimeauth_key;
