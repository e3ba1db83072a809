/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The Salsa20 double rounds on the matrix of constant, key and input:
 * Bernstein, "Salsa20 specification", sections 3 to 9. */
#include "crypto_core.h"

#include "bytes.h"

#define QUARTER(a, b, c, d)   \
    do {                      \
        b ^= rotl32(a + d, 7);  \
        c ^= rotl32(b + a, 9);  \
        d ^= rotl32(c + b, 13); \
        a ^= rotl32(d + c, 18); \
    } while (0)

static void salsa20_matrix(uint32_t *x, const uint8_t *in, const uint8_t *k, const uint8_t *c)
{
    for (unsigned i = 0; i < 4; i++) {
        x[5 * i] = load_le32(c + 4 * i);
        x[1 + i] = load_le32(k + 4 * i);
        x[6 + i] = load_le32(in + 4 * i);
        x[11 + i] = load_le32(k + 16 + 4 * i);
    }
}

static void salsa20_rounds(uint32_t *x)
{
    for (unsigned i = 0; i < 20; i += 2) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[5], x[9], x[13], x[1]);
        QUARTER(x[10], x[14], x[2], x[6]);
        QUARTER(x[15], x[3], x[7], x[11]);
        QUARTER(x[0], x[1], x[2], x[3]);
        QUARTER(x[5], x[6], x[7], x[4]);
        QUARTER(x[10], x[11], x[8], x[9]);
        QUARTER(x[15], x[12], x[13], x[14]);
    }
}
