/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SERPENT_SUBSTITUTE_H
#define SERPENT_SUBSTITUTE_H

/* One S-box on 32-bit words, for the key schedule; SERPENT_S0 ... come from a
 * header included before. */

#include <stdint.h>

#define SERPENT_CASE(n)                                                        \
    case n: SERPENT_S##n(uint32_t, x0, x1, x2, x3) break;

static inline void serpent_substitute(uint32_t x[4], int box)
{
    uint32_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    switch (box) {
        SERPENT_CASE(0)
        SERPENT_CASE(1)
        SERPENT_CASE(2)
        SERPENT_CASE(3)
        SERPENT_CASE(4)
        SERPENT_CASE(5)
        SERPENT_CASE(6)
        SERPENT_CASE(7)
    default: break;
    }
    x[0] = x0;
    x[1] = x1;
    x[2] = x2;
    x[3] = x3;
}

#endif
