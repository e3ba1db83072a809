/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sorting in a time that does not depend on the items: Batcher's merge exchange
 * (Knuth, The Art of Computer Programming, volume 3, section 5.2.2, algorithm M).
 * Before it is included, perhaps more than once: ITEM, an unsigned type, and SORT,
 * the function's name. */

/* Items below half of the type's range: the sign of the difference says all. */
static inline void SORT(ITEM *x, uint32_t count, uint32_t stride)
{
    /* count a power of 2: so many interleaved sequences of count / stride items */
    for (uint32_t p = count / 2; p >= stride; p /= 2)
        for (uint32_t q = count / 2, first = 0, d = p;; first = p, d = q - p, q /= 2) {
            for (uint32_t i = first; i + d < count; i += 2 * p) {
                ITEM *restrict low = x + i, *restrict high = x + i + d; /* d >= p */
                for (uint32_t j = 0; j < p; j++) {
                    const ITEM a = low[j], b = high[j];
                    const ITEM change = (a ^ b) & -((ITEM)(b - a) >> (8 * sizeof(ITEM) - 1));
                    low[j] = a ^ change;
                    high[j] = b ^ change;
                }
            }
            if (q == p) break;
        }
}
