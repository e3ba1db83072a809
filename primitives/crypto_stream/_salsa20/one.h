/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* For words.h: a pass of one block in 32-bit words.  For Salsa20, where vectors
 * have no instruction that rotates, this is faster than a block in rows: the
 * chain of dependent instructions is shorter. */

static inline void cipher_one(uint8_t *out, const uint8_t *in,
                              const uint32_t *key, const uint32_t *nonce,
                              cipher_counter counter)
{
    uint32_t y[16];

#define SET(i, word) y[i] = (uint32_t)(word);
    CIPHER_INPUT(SET)
    CIPHER_INPUT_COUNTER(SET, counter, (uint64_t)counter >> 32)
#undef SET
#define QUARTER(a, b, c, d) cipher_quarter(&y[a], &y[b], &y[c], &y[d]);
    LANES_ROLLED
    for (int i = 0; i < CIPHER_ROUNDS; i += 2) {
        CIPHER_DOUBLE_ROUND(QUARTER)
    }
#undef QUARTER
#define PUT(i, word)                                                           \
    store_le32(out + 4 * i,                                                    \
               (y[i] + (uint32_t)(word)) ^ (in ? load_le32(in + 4 * i) : 0));
    CIPHER_INPUT(PUT)
    CIPHER_INPUT_COUNTER(PUT, counter, (uint64_t)counter >> 32)
#undef PUT
}
