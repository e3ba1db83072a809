/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Four items x to a byte, x + 1 in 2 bits, the first lowest. */
#include "crypto_decode.h"

#include <stdint.h>

void crypto_decode(void *v, const unsigned char *s)
{
    int8_t *x = v;
    for (unsigned i = 0; i < crypto_decode_ITEMS; i++) x[i] = (int8_t)((s[i / 4] >> 2 * (i % 4) & 3) - 1);
}
