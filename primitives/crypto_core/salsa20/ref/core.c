/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The Salsa20 core: rounds, then the matrix once more. */
#include "../../_salsa20/salsa20.h"

int crypto_core(unsigned char *out, const unsigned char *in, const unsigned char *k, const unsigned char *c)
{
    uint32_t x[16], start[16];
    salsa20_matrix(x, in, k, c);
    memcpy(start, x, sizeof x);
    salsa20_rounds(x);
    for (unsigned i = 0; i < 16; i++) store_le32(out + 4 * i, x[i] + start[i]);
    return 0;
}
