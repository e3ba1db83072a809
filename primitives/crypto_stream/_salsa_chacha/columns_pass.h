/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Template, for columns.h: LANES_WORDS blocks, and with COLUMNS_AND_ONE one block
 * more in the integer unit, which has little else to do.  (Messages are often a
 * multiple of 64 bytes long, and the first 16 bytes of keystream come on top:
 * one block is the usual rest.) */

static inline void COLUMNS_NAME(uint8_t *out, const uint8_t *in,
                                const uint32_t *key, const uint32_t *nonce,
                                cipher_counter counter)
{
    const V first = NAME(broadcast)(counter);
    const V low = first + NAME(iota)();
    /* a comparison is all ones, -1, where it holds: where the low word wrapped */
    const V high = NAME(broadcast)((uint64_t)counter >> 32) - (V)(low < first);
    V x[16];

#define COUNT(i, word) x[i] = word;
#define SET(i, word) x[i] = NAME(broadcast)(word);
    CIPHER_INPUT(SET)
    CIPHER_INPUT_COUNTER(COUNT, low, high)
#undef SET
#undef COUNT
#ifdef COLUMNS_AND_ONE
    const cipher_counter last = counter + LANES_WORDS;
    uint32_t y[16];
#define SET(i, word) y[i] = (uint32_t)(word);
    CIPHER_INPUT(SET)
    CIPHER_INPUT_COUNTER(SET, last, (uint64_t)last >> 32)
#undef SET
#define ONE(a, b, c, d) cipher_quarter(&y[a], &y[b], &y[c], &y[d]);
#else
#define ONE(a, b, c, d)
#endif
#define QUARTER(a, b, c, d)                                                    \
    NAME(cipher_quarter)(&x[a], &x[b], &x[c], &x[d]);                          \
    ONE(a, b, c, d)
    LANES_ROLLED
    for (int i = 0; i < CIPHER_ROUNDS; i += 2) {
        CIPHER_DOUBLE_ROUND(QUARTER)
    }
#undef QUARTER
#undef ONE
#ifdef COLUMNS_AND_ONE
    const uint8_t *from = in ? in + 64 * LANES_WORDS : 0;
    uint8_t *to = out + 64 * LANES_WORDS;
#define PUT(i, word)                                                           \
    store_le32(to + 4 * i, (y[i] + (uint32_t)(word)) ^                         \
                               (from ? load_le32(from + 4 * i) : 0));
    CIPHER_INPUT(PUT)
    CIPHER_INPUT_COUNTER(PUT, last, (uint64_t)last >> 32)
#undef PUT
#endif
#define COUNT(i, word) x[i] += word;
#define ADD(i, word) x[i] += NAME(broadcast)(word);
    CIPHER_INPUT(ADD)
    CIPHER_INPUT_COUNTER(COUNT, low, high)
#undef ADD
#undef COUNT
    NAME(put_columns)(out, in, x);
}

#undef COLUMNS_AND_ONE
#undef COLUMNS_NAME
