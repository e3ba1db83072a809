/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* HSalsa20: the rounds alone, and of the result what the constant and the
 * input were (Bernstein, "Extending the Salsa20 nonce", section 2). */
#include "../../_salsa20/salsa20.h"

int crypto_core(unsigned char *out, const unsigned char *in, const unsigned char *k, const unsigned char *c)
{
    uint32_t x[16];
    salsa20_matrix(x, in, k, c);
    salsa20_rounds(x);
    for (unsigned i = 0; i < 4; i++) {
        store_le32(out + 4 * i, x[5 * i]);
        store_le32(out + 16 + 4 * i, x[6 + i]);
    }
    return 0;
}
