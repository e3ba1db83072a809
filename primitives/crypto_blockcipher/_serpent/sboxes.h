/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SERPENT_SBOXES_H
#define SERPENT_SBOXES_H

/* The S-boxes of Serpent (Anderson, Biham, Knudsen, "Serpent", appendix A.5) as
 * circuits on four words of any type T that has & | ^ ~; bit i of a nibble is in
 * x_i.  The circuits were searched for this file from the tables, by random
 * decomposition, for few gates.  Where depth matters more, see
 * crypto_stream/_sosemanuk/serpent.h. */

/* 15 gates, depth 12 */
#define SERPENT_S0(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x3 & x0, t5 = x1 ^ t4, t6 = x3 ^ t5, t7 = x0 ^ t6,             \
          t8 = x2 ^ t7, t9 = t5 | t7, t10 = x3 ^ t9, t11 = t8 | t10,          \
          t12 = ~t11, t13 = t5 ^ t12, t14 = t8 ^ t10, t15 = t13 ^ t14,        \
          t16 = t13 | t14, t17 = ~t16, t18 = t7 ^ t17;                        \
        x0 = t13; x1 = t15; x2 = t18; x3 = t8;                                \
    }

/* 15 gates, depth 12 */
#define SERPENT_S1(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = ~x1, t5 = x0 | t4, t6 = x2 ^ t5, t7 = x3 ^ t6, t8 = x0 ^ t4,   \
          t9 = x3 | t8, t10 = x1 ^ t9, t11 = t6 | t10, t12 = t7 ^ t11,        \
          t13 = x0 ^ t12, t14 = t4 ^ t13, t15 = t14 ^ t6, t16 = t10 ^ t15,    \
          t17 = t14 | t16, t18 = t15 ^ t17;                                   \
        x0 = t18; x1 = t14; x2 = t7; x3 = t16;                                \
    }

/* 14 gates, depth 9 */
#define SERPENT_S2(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x0 & x2, t5 = x3 ^ t4, t6 = x1 ^ t5, t7 = x1 & t6,             \
          t8 = x2 ^ t7, t9 = x0 ^ t8, t10 = ~t9, t11 = t5 | x0,               \
          t12 = x1 ^ t11, t13 = t9 & t12, t14 = t5 ^ t13, t15 = x2 ^ t6,      \
          t16 = t12 ^ t9, t17 = t14 ^ t16;                                    \
        x0 = t15; x1 = t17; x2 = t14; x3 = t10;                               \
    }

/* 19 gates, depth 16 */
#define SERPENT_S3(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x2 ^ x3, t5 = x0 | t4, t6 = x2 ^ t5, t7 = x1 & t6,             \
          t8 = x2 ^ t7, t9 = x3 ^ t8, t10 = x0 ^ t9, t11 = x1 ^ t10,          \
          t12 = t9 & t11, t13 = t6 | t12, t14 = x2 ^ t13, t15 = x1 ^ t14,     \
          t16 = t12 ^ t15, t17 = t7 | t16, t18 = x3 ^ t17, t19 = x0 ^ t13,    \
          t20 = t16 | t19, t21 = t4 ^ t20, t22 = t7 ^ t21;                    \
        x0 = t15; x1 = t22; x2 = t10; x3 = t18;                               \
    }

/* 16 gates, depth 13 */
#define SERPENT_S4(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x3 & x0, t5 = x2 ^ t4, t6 = x3 ^ t5, t7 = x1 | t6,             \
          t8 = x3 ^ t7, t9 = x0 ^ t8, t10 = t9 & x1, t11 = t6 ^ t10,          \
          t12 = ~t11, t13 = t11 | t5, t14 = x1 ^ t13, t15 = x0 ^ t14,         \
          t16 = x3 ^ t15, t17 = t9 | t14, t18 = x3 ^ t17, t19 = t11 ^ t18;    \
        x0 = t12; x1 = t19; x2 = t16; x3 = t9;                                \
    }

/* 17 gates, depth 16 */
#define SERPENT_S5(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x0 | x1, t5 = x2 ^ t4, t6 = x0 ^ t5, t7 = x3 | t6, t8 = ~t7,   \
          t9 = x0 ^ t8, t10 = x1 ^ t9, t11 = ~x3, t12 = t10 | t11,            \
          t13 = t6 ^ t12, t14 = t10 & t13, t15 = x0 & t14, t16 = t11 ^ t15,   \
          t17 = t5 ^ t16, t18 = t17 & t13, t19 = t16 ^ t18, t20 = t10 ^ t19;  \
        x0 = t13; x1 = t10; x2 = t20; x3 = t17;                               \
    }

/* 17 gates, depth 14 */
#define SERPENT_S6(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x3 & x0, t5 = x2 ^ t4, t6 = x1 ^ t5, t7 = ~t6, t8 = x3 ^ x0,   \
          t9 = t7 | t8, t10 = x3 ^ t9, t11 = t5 | t10, t12 = x0 ^ t11,        \
          t13 = x1 ^ t12, t14 = t5 ^ t13, t15 = x3 ^ t14, t16 = ~t13,         \
          t17 = t9 ^ t16, t18 = t15 & t17, t19 = t5 ^ t18, t20 = t15 ^ t19;   \
        x0 = t17; x1 = t7; x2 = t15; x3 = t20;                                \
    }

/* 17 gates, depth 15 */
#define SERPENT_S7(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x1 | x2, t5 = x3 ^ t4, t6 = x1 ^ t5, t7 = x0 ^ t6,             \
          t8 = x0 & t7, t9 = x1 ^ t8, t10 = x2 ^ t9, t11 = t10 & t8,          \
          t12 = t7 ^ t11, t13 = x1 ^ t12, t14 = t9 | t6, t15 = t12 ^ t14,     \
          t16 = t10 & t15, t17 = t6 ^ t16, t18 = t10 & t17, t19 = ~t18,       \
          t20 = t15 ^ t19;                                                    \
        x0 = t20; x1 = t13; x2 = t17; x3 = t10;                               \
    }

#endif
