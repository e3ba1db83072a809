/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SOSEMANUK_TERNARY_H
#define SOSEMANUK_TERNARY_H

/* The S-boxes of Serpent with the three-input instruction of AVX-512: each
 * output bit is one function of x0, x1, x2 where x3 is 0 and another where it
 * is 1, then a choice.  12 instructions, depth 2.  The truth tables are taken
 * from the S-box itself, nibble n of the constant being S_k(n). */

#include <immintrin.h>

#define SERPENT_TABLE_0 0xC90724DEB56A1F83
#define SERPENT_TABLE_1 0x43D68EB1A50972CF
#define SERPENT_TABLE_2 0x25B04E1DFAC39768
#define SERPENT_TABLE_3 0xE57A421D369C8BF0
#define SERPENT_TABLE_4 0xD7E9A4526B0C38F1
#define SERPENT_TABLE_5 0x176D8E30C9A4B25F
#define SERPENT_TABLE_6 0x0A3DF19EB6485C27
#define SERPENT_TABLE_7 0x6539AC47B28E0FD1

#define TRUTH_BIT(table, b, n) ((int)(((table) >> (4 * (n) + (b))) & 1))
#define TRUTH(table, b, n)                                                     \
    (TRUTH_BIT(table, b, n) | TRUTH_BIT(table, b, n + 1) << 1                  \
     | TRUTH_BIT(table, b, n + 2) << 2 | TRUTH_BIT(table, b, n + 3) << 3       \
     | TRUTH_BIT(table, b, n + 4) << 4 | TRUTH_BIT(table, b, n + 5) << 5       \
     | TRUTH_BIT(table, b, n + 6) << 6 | TRUTH_BIT(table, b, n + 7) << 7)

/* width is mm or mm256 */
#define TERNARY_BIT(width, table, b)                                           \
    _##width##_ternarylogic_epi32(                                             \
        x3, _##width##_ternarylogic_epi32(x2, x1, x0, TRUTH(table, b, 8)),     \
        _##width##_ternarylogic_epi32(x2, x1, x0, TRUTH(table, b, 0)), 0xca)

#define TERNARY_S(width, k)                                                    \
    {                                                                          \
        __typeof__(x0) y0 = TERNARY_BIT(width, SERPENT_TABLE_##k, 0);          \
        __typeof__(x0) y1 = TERNARY_BIT(width, SERPENT_TABLE_##k, 1);          \
        __typeof__(x0) y2 = TERNARY_BIT(width, SERPENT_TABLE_##k, 2);          \
        __typeof__(x0) y3 = TERNARY_BIT(width, SERPENT_TABLE_##k, 3);          \
        x0 = y0, x1 = y1, x2 = y2, x3 = y3;                                    \
    }

#endif
