/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef HC_W_SCALAR_H
#define HC_W_SCALAR_H

/* The expansion W[16..count-1] from W[0..15], count a multiple of 16.  Only
 * f2(W[i-2]) is on the critical path: the last two words stay in registers,
 * and the rest of the sum is formed beside them. */

#include "expand.h"

#define W_STEP(k, last)                                                        \
    rest = f1(w[i + k - 15]) + w[i + k - 16] + w[i + k - 7] + i + k;           \
    IN_REGISTER(rest);                                                         \
    w[i + k] = last = f2(last) + rest;

static void expand(uint32_t *w, uint32_t count)
{
    uint32_t even = w[14], odd = w[15], rest;
    for (uint32_t i = 16; i < count; i += 8) {
        W_STEP(0, even) W_STEP(1, odd) W_STEP(2, even) W_STEP(3, odd)
        W_STEP(4, even) W_STEP(5, odd) W_STEP(6, even) W_STEP(7, odd)
    }
}

#endif
