/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Batcher's merge exchange: Knuth, The Art of Computer Programming, volume 3,
 * section 5.2.2, algorithm M.  Which items are compared depends on n alone.
 * Before it is included: ITEM, its type. */
#include "crypto_sort.h"

#include <stdint.h>

/* By a mask: no branch for a compiler to find. */
static inline void min_max(ITEM *a, ITEM *b)
{
    const ITEM x = *a, y = *b, change = (ITEM)((x ^ y) & -(ITEM)(x > y));
    *a = x ^ change;
    *b = y ^ change;
}

/* One pass: items d apart, where the index has r in its bit p. */
static void pass(ITEM *x, uint64_t n, uint64_t p, uint64_t r, uint64_t d)
{
    for (uint64_t i = 0; i + d < n; i++)
        if ((i & p) == r) min_max(x + i, x + i + d);
}

void crypto_sort(void *items, long long count)
{
    ITEM *x = items;
    const uint64_t n = (uint64_t)count;
    uint64_t top = 1;
    if (count < 2) return;
    while (top < n - top) top += top;
    for (uint64_t p = top; p > 0; p /= 2) {
        pass(x, n, p, 0, p);
        for (uint64_t q = top; q > p; q /= 2) pass(x, n, p, p, q - p);
    }
}
