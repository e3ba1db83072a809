/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SNOW_AHEAD_H
#define SNOW_AHEAD_H

#include "alpha.h"

/* The 16 words after s[0] .. s[15] */
#define STEP(t)                                                                \
    new[t] = alpha_times(s[t]) ^ (t < 14 ? s[(t + 2) & 15] : new[(t + 2) & 15]) \
             ^ alpha_divides(t < 5 ? s[(t + 11) & 15] : new[(t + 11) & 15]);

static inline void sixteen_ahead(uint32_t *new, const uint32_t *s)
{
    STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)
    STEP(8) STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14) STEP(15)
}

#endif
