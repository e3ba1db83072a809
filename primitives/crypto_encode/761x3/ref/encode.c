/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Four items x to a byte, x + 1 in 2 bits, the first lowest. */
#include "crypto_encode.h"

#include <stdint.h>

void crypto_encode(unsigned char *s, const void *v)
{
    const int8_t *x = v;
    for (unsigned i = 0; i < crypto_encode_STRBYTES; i++) {
        unsigned byte = 0;
        for (unsigned j = 0; j < 4 && 4 * i + j < crypto_encode_ITEMS; j++)
            byte |= (unsigned)(x[4 * i + j] + 1) << 2 * j;
        s[i] = (unsigned char)byte;
    }
}
