/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The passes that vec128.h of a cipher plans, after its wide.h on four words;
 * a block alone goes the cipher's own way. */

static inline void cipher_pass(unsigned blocks, uint8_t *out, const uint8_t *in,
                               const uint32_t *key, const uint32_t *nonce,
                               cipher_counter counter)
{
    switch (blocks) {
    case 1: cipher_single(out, in, key, nonce, counter); break;
    case 2: cipher_rows_4_2(out, in, key, nonce, counter); break;
    case 3: cipher_rows_4_3(out, in, key, nonce, counter); break;
    case 5: cipher_columns_and_one_4(out, in, key, nonce, counter); break;
    default: cipher_columns_4(out, in, key, nonce, counter);
    }
}

#include "driver.h"
