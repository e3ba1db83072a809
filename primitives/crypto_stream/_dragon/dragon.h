/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef DRAGON_H
#define DRAGON_H

/* Dragon's virtual S-boxes G and H (8 -> 32 bits, four at a time) and its
 * update function, on six variables of the caller so that a compiler keeps
 * them in registers. */

#include "tables.h"

#define DRAGON_4(p, q, r, s, x)                                                \
    (dragon_##p[(x) & 255] ^ dragon_##q[(x) >> 8 & 255] ^                      \
     dragon_##r[(x) >> 16 & 255] ^ dragon_##s[(x) >> 24])

#define DRAGON_G1(x) DRAGON_4(s2, s1, s1, s1, x)
#define DRAGON_G2(x) DRAGON_4(s1, s2, s1, s1, x)
#define DRAGON_G3(x) DRAGON_4(s1, s1, s2, s1, x)
#define DRAGON_H1(x) DRAGON_4(s1, s2, s2, s2, x)
#define DRAGON_H2(x) DRAGON_4(s2, s1, s2, s2, x)
#define DRAGON_H3(x) DRAGON_4(s2, s2, s1, s2, x)

#define DRAGON_UPDATE(a, b, c, d, e, f)                                        \
    do {                                                                       \
        (b) ^= (a); (d) ^= (c); (f) ^= (e);                                    \
        (c) += (b); (e) += (d); (a) += (f);                                    \
        (d) ^= DRAGON_G1(a); (f) ^= DRAGON_G2(c); (b) ^= DRAGON_G3(e);         \
        (a) ^= DRAGON_H1(b); (c) ^= DRAGON_H2(d); (e) ^= DRAGON_H3(f);         \
        (f) += (c); (b) += (e); (d) += (a);                                    \
        (a) ^= (f); (c) ^= (b); (e) ^= (d);                                    \
    } while (0)

#define DRAGON_E 0x00004472u /* M starts as "Dragon" in ASCII, right-aligned */
#define DRAGON_F 0x61676f6eu

#endif
