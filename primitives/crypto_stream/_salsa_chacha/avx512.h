/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The passes that avx512.h of a cipher plans, after its wide.h on four, eight and sixteen;
 * a block alone goes the cipher's own way. */

static inline void cipher_pass(unsigned blocks, uint8_t *out, const uint8_t *in,
                               const uint32_t *key, const uint32_t *nonce,
                               cipher_counter counter)
{
    switch (blocks) {
    case 1: cipher_single(out, in, key, nonce, counter); break;
    case 2: cipher_rows_8_1(out, in, key, nonce, counter); break;
    case 4: cipher_rows_16_1(out, in, key, nonce, counter); break;
    case 8: cipher_rows_16_2(out, in, key, nonce, counter); break;
    case 12: cipher_rows_16_3(out, in, key, nonce, counter); break;
    case 17: cipher_columns_and_one_16(out, in, key, nonce, counter); break;
    default: cipher_columns_16(out, in, key, nonce, counter);
    }
}

#include "driver.h"
