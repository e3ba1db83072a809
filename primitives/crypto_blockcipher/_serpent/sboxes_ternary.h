/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SERPENT_SBOXES_TERNARY_H
#define SERPENT_SBOXES_TERNARY_H

/* The S-boxes of Serpent (Anderson, Biham, Knudsen, "Serpent", appendix A.5) and
 * their inverses in gates of three inputs, TERNARY(a, b, c, truth table), where
 * bit 4 a + 2 b + c of the table is the result; bit i of a nibble is in x_i.  The
 * circuits were searched for this file from the tables. */

/* 7 gates, depth 5 */
#define SERPENT_TS0(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x0, x1, x3, 0x2b), t5 = TERNARY(x3, x1, x0, 0x36),     \
          t6 = TERNARY(x2, x0, t5, 0x5a), t7 = TERNARY(x2, x0, t4, 0x39),     \
          t8 = TERNARY(x3, t5, t7, 0xa9), t9 = TERNARY(t4, t6, t8, 0x69),     \
          t10 = TERNARY(t5, t8, t9, 0xe1);                                    \
        x0 = t8; x1 = t9; x2 = t10; x3 = t6;                                  \
    }

/* 7 gates, depth 4 */
#define SERPENT_TS1(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x0, x1, x3, 0xd8), t5 = TERNARY(x2, x0, x1, 0x2d),     \
          t6 = TERNARY(x1, x3, t5, 0x66), t7 = TERNARY(x1, x2, t4, 0xe4),     \
          t8 = TERNARY(x0, x3, t7, 0x69), t9 = TERNARY(t8, t4, t5, 0xa3),     \
          t10 = TERNARY(t4, t5, t8, 0x69);                                    \
        x0 = t9; x1 = t8; x2 = t6; x3 = t10;                                  \
    }

/* 7 gates, depth 3 */
#define SERPENT_TS2(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x3, x0, x1, 0x56), t5 = TERNARY(x0, x2, x1, 0x16),     \
          t6 = TERNARY(x1, x3, t5, 0x95), t7 = TERNARY(x3, x0, x2, 0x78),     \
          t8 = TERNARY(t4, t5, t7, 0x6a), t9 = TERNARY(t7, x1, x2, 0x96),     \
          t10 = TERNARY(t4, t6, t7, 0x59);                                    \
        x0 = t9; x1 = t10; x2 = t8; x3 = t6;                                  \
    }

/* 8 gates, depth 4 */
#define SERPENT_TS3(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x0, x2, x3, 0x9d), t5 = TERNARY(x3, x1, x0, 0x49),     \
          t6 = TERNARY(t4, x2, t5, 0x5a), t7 = TERNARY(x0, x1, x2, 0x1a),     \
          t8 = TERNARY(x3, t5, t7, 0x9a), t9 = TERNARY(t7, x1, t4, 0x29),     \
          t10 = TERNARY(t6, t9, x3, 0x62), t11 = TERNARY(t7, t4, t10, 0xa9);  \
        x0 = t11; x1 = t6; x2 = t8; x3 = t9;                                  \
    }

/* 8 gates, depth 6 */
#define SERPENT_TS4(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x1, x3, x0, 0x2b), t5 = TERNARY(x3, x2, t4, 0x66),     \
          t6 = TERNARY(x1, x0, t5, 0x39), t7 = TERNARY(x3, x1, t6, 0x5a),     \
          t8 = TERNARY(t5, t7, x1, 0x49), t9 = TERNARY(x3, t5, t8, 0x59),     \
          t10 = TERNARY(t7, x1, x0, 0x93), t11 = TERNARY(x2, t4, t10, 0x56);  \
        x0 = t5; x1 = t11; x2 = t9; x3 = t7;                                  \
    }

/* 8 gates, depth 4 */
#define SERPENT_TS5(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x3, x1, x0, 0x62), t5 = TERNARY(x3, x2, t4, 0xa9),     \
          t6 = TERNARY(x1, x3, x0, 0xd4), t7 = TERNARY(x2, t4, t6, 0xa5),     \
          t8 = TERNARY(t5, x1, x3, 0xa9), t9 = TERNARY(t6, x2, t8, 0x65),     \
          t10 = TERNARY(x0, t7, t5, 0x71), t11 = TERNARY(t8, x1, t10, 0x69);  \
        x0 = t7; x1 = t5; x2 = t11; x3 = t9;                                  \
    }

/* 8 gates, depth 5 */
#define SERPENT_TS6(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x0, x3, x1, 0xb2), t5 = TERNARY(x3, x2, x0, 0x6c),     \
          t6 = TERNARY(x1, x3, t5, 0xa5), t7 = TERNARY(t6, x0, x3, 0xb5),     \
          t8 = TERNARY(x2, t4, t7, 0x9a), t9 = TERNARY(x3, x0, t6, 0xd6),     \
          t10 = TERNARY(t4, x2, t9, 0x6a), t11 = TERNARY(t5, t8, t10, 0xb4);  \
        x0 = t10; x1 = t6; x2 = t8; x3 = t11;                                 \
    }

/* 8 gates, depth 7 */
#define SERPENT_TS7(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x1, x0, x2, 0xad), t5 = TERNARY(x0, x3, t4, 0x65),     \
          t6 = TERNARY(x1, x2, t5, 0x7e), t7 = TERNARY(x3, x0, t6, 0x96),     \
          t8 = TERNARY(x2, x3, t7, 0x34), t9 = TERNARY(x1, x0, t8, 0x95),     \
          t10 = TERNARY(t6, t8, t4, 0x6c), t11 = TERNARY(t9, t7, t10, 0x6a);  \
        x0 = t9; x1 = t7; x2 = t11; x3 = t5;                                  \
    }

/* 7 gates, depth 4 */
#define SERPENT_TI0(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x0, x1, x3, 0x4d), t5 = TERNARY(x0, x1, x2, 0xa9),     \
          t6 = TERNARY(x0, x3, t5, 0x66), t7 = TERNARY(x0, t6, x1, 0x97),     \
          t8 = TERNARY(t4, x2, t7, 0x6a), t9 = TERNARY(t4, t5, t7, 0x27),     \
          t10 = TERNARY(x2, t4, t7, 0xa9);                                    \
        x0 = t8; x1 = t9; x2 = t6; x3 = t10;                                  \
    }

/* 8 gates, depth 6 */
#define SERPENT_TI1(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x0, x1, x3, 0x17), t5 = TERNARY(x1, x3, x2, 0x0c),     \
          t6 = TERNARY(x0, x2, t5, 0x96), t7 = TERNARY(t4, x1, t6, 0xc9),     \
          t8 = TERNARY(x2, x3, t7, 0x96), t9 = TERNARY(t8, t4, t6, 0x96),     \
          t10 = TERNARY(x0, x3, x1, 0x59), t11 = TERNARY(t6, t9, t10, 0x9a);  \
        x0 = t9; x1 = t8; x2 = t11; x3 = t6;                                  \
    }

/* 7 gates, depth 7 */
#define SERPENT_TI2(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x3, x2, x1, 0x3a), t5 = TERNARY(t4, x3, x0, 0xf6),     \
          t6 = TERNARY(x1, x2, t5, 0x69), t7 = TERNARY(t6, x0, t4, 0x69),     \
          t8 = TERNARY(t6, t7, t4, 0x78), t9 = TERNARY(x3, x0, t8, 0xa5),     \
          t10 = TERNARY(t4, t6, t9, 0x87);                                    \
        x0 = t9; x1 = t7; x2 = t6; x3 = t10;                                  \
    }

/* 8 gates, depth 4 */
#define SERPENT_TI3(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x3, x1, x2, 0x6d), t5 = TERNARY(x3, x0, t4, 0x59),     \
          t6 = TERNARY(x0, x1, t4, 0xd3), t7 = TERNARY(x3, x2, t6, 0x59),     \
          t8 = TERNARY(x3, x0, x2, 0xc1), t9 = TERNARY(x1, t5, t8, 0x59),     \
          t10 = TERNARY(t8, x1, x3, 0xad), t11 = TERNARY(t7, t4, t10, 0x69);  \
        x0 = t5; x1 = t11; x2 = t9; x3 = t7;                                  \
    }

/* 7 gates, depth 6 */
#define SERPENT_TI4(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x2, x0, x1, 0xe1), t5 = TERNARY(t4, x3, x0, 0x6b),     \
          t6 = TERNARY(x0, x1, t5, 0x96), t7 = TERNARY(x0, t6, x3, 0x78),     \
          t8 = TERNARY(t4, x3, t7, 0x69), t9 = TERNARY(t4, t6, t7, 0x78),     \
          t10 = TERNARY(t7, t8, t9, 0x4b);                                    \
        x0 = t9; x1 = t6; x2 = t10; x3 = t8;                                  \
    }

/* 8 gates, depth 4 */
#define SERPENT_TI5(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x3, x1, x0, 0xe9), t5 = TERNARY(x2, x1, t4, 0x59),     \
          t6 = TERNARY(x3, x0, x2, 0x19), t7 = TERNARY(t4, x1, t6, 0x95),     \
          t8 = TERNARY(x2, x1, x0, 0x9e), t9 = TERNARY(x3, x0, t8, 0x59),     \
          t10 = TERNARY(t9, t6, x0, 0xf5), t11 = TERNARY(x1, t5, t10, 0x69);  \
        x0 = t5; x1 = t11; x2 = t7; x3 = t9;                                  \
    }

/* 7 gates, depth 3 */
#define SERPENT_TI6(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x3, x0, x2, 0x71), t5 = TERNARY(x0, x3, x2, 0xd1),     \
          t6 = TERNARY(t4, x1, t5, 0xa9), t7 = TERNARY(x1, t4, t5, 0x6a),     \
          t8 = TERNARY(x3, x0, x2, 0x2d), t9 = TERNARY(x3, x1, t8, 0x66),     \
          t10 = TERNARY(t6, t7, t8, 0x95);                                    \
        x0 = t6; x1 = t9; x2 = t10; x3 = t7;                                  \
    }

/* 8 gates, depth 4 */
#define SERPENT_TI7(T, x0, x1, x2, x3)                                        \
    {                                                                         \
        T t4 = TERNARY(x0, x2, x3, 0x6d), t5 = TERNARY(x2, x3, x1, 0x98),     \
          t6 = TERNARY(t4, x0, t5, 0x9a), t7 = TERNARY(x0, x1, x3, 0x43),     \
          t8 = TERNARY(x0, t4, t7, 0x66), t9 = TERNARY(t5, t7, x2, 0x96),     \
          t10 = TERNARY(x1, x0, t9, 0xda), t11 = TERNARY(x3, t6, t10, 0x56);  \
        x0 = t9; x1 = t6; x2 = t8; x3 = t11;                                  \
    }

#endif
