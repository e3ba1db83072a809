/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SERPENT_INVERSE_SBOXES_H
#define SERPENT_INVERSE_SBOXES_H

/* The inverse S-boxes of Serpent (Anderson, Biham, Knudsen, "Serpent", appendix A.5) as
 * circuits on four words of any type T that has & | ^ ~; bit i of a nibble is in
 * x_i.  The circuits were searched for this file from the tables, by random
 * decomposition, for few gates. */

/* 15 gates, depth 10 */
#define SERPENT_I0(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x0 | x1, t5 = x2 ^ t4, t6 = ~t5, t7 = x3 ^ t6, t8 = x1 ^ x0,   \
          t9 = x3 | t8, t10 = x0 ^ t9, t11 = t5 ^ t10, t12 = t6 & t11,        \
          t13 = x0 ^ t12, t14 = t7 ^ t13, t15 = x1 ^ t14, t16 = t15 ^ t11,    \
          t17 = t15 | t11, t18 = t6 ^ t17;                                    \
        x0 = t15; x1 = t18; x2 = t7; x3 = t16;                                \
    }

/* 15 gates, depth 12 */
#define SERPENT_I1(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x3 | x1, t5 = x0 ^ t4, t6 = x1 ^ t5, t7 = x2 ^ t6,             \
          t8 = x3 ^ t6, t9 = t5 & t8, t10 = x0 ^ t9, t11 = t7 & t10,          \
          t12 = x3 ^ t11, t13 = t5 ^ t12, t14 = ~t13, t15 = t10 ^ t7,         \
          t16 = t13 ^ t15, t17 = t14 | t15, t18 = t6 ^ t17;                   \
        x0 = t14; x1 = t16; x2 = t18; x3 = t7;                                \
    }

/* 15 gates, depth 12 */
#define SERPENT_I2(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x2 ^ x3, t5 = x1 ^ t4, t6 = x1 & t5, t7 = x0 ^ t6,             \
          t8 = x2 ^ t7, t9 = t5 & x3, t10 = x1 ^ t9, t11 = t8 & t10,          \
          t12 = t5 ^ t11, t13 = x0 ^ t12, t14 = ~t13, t15 = t10 ^ t12,        \
          t16 = t8 & t14, t17 = ~t16, t18 = t10 ^ t17;                        \
        x0 = t8; x1 = t15; x2 = t14; x3 = t18;                                \
    }

/* 16 gates, depth 14 */
#define SERPENT_I3(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x1 | x2, t5 = x2 ^ t4, t6 = x0 ^ t5, t7 = x3 ^ t6,             \
          t8 = x3 ^ t7, t9 = x3 | t8, t10 = x1 ^ t9, t11 = x2 ^ t10,          \
          t12 = t11 ^ t7, t13 = t9 & t12, t14 = x1 ^ t13, t15 = t10 | t6,     \
          t16 = t13 ^ t15, t17 = t11 | t16, t18 = t8 ^ t17, t19 = t16 ^ t18;  \
        x0 = t11; x1 = t18; x2 = t14; x3 = t19;                               \
    }

/* 17 gates, depth 15 */
#define SERPENT_I4(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x3 | x2, t5 = x1 ^ t4, t6 = x0 & t5, t7 = x2 ^ t6,             \
          t8 = x3 ^ t7, t9 = t7 | x3, t10 = x0 & t9, t11 = x3 ^ t10,          \
          t12 = t5 ^ t11, t13 = t8 | x0, t14 = t12 ^ t13, t15 = ~t14,         \
          t16 = t7 ^ t15, t17 = t12 | t16, t18 = t14 ^ t17, t19 = x0 ^ t18,   \
          t20 = t9 ^ t19;                                                     \
        x0 = t16; x1 = t8; x2 = t20; x3 = t12;                                \
    }

/* 16 gates, depth 10 */
#define SERPENT_I5(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x3 & x0, t5 = x2 ^ t4, t6 = x1 & t5, t7 = x3 ^ t6,             \
          t8 = x0 ^ t7, t9 = x0 & x2, t10 = x1 | t9, t11 = t8 ^ t10,          \
          t12 = t4 ^ t11, t13 = t7 | t11, t14 = x1 & t13, t15 = t5 ^ t14,     \
          t16 = ~t15, t17 = x3 ^ t13, t18 = t9 | t17, t19 = t15 ^ t18;        \
        x0 = t8; x1 = t12; x2 = t19; x3 = t16;                                \
    }

/* 16 gates, depth 13 */
#define SERPENT_I6(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = ~x2, t5 = x0 | t4, t6 = x3 ^ t5, t7 = x1 ^ t6, t8 = x0 ^ x2,   \
          t9 = t6 & t8, t10 = x2 ^ t9, t11 = x1 | t10, t12 = t6 ^ t11,        \
          t13 = x0 ^ t12, t14 = x2 ^ t13, t15 = t13 ^ x1, t16 = t9 ^ t15,     \
          t17 = t16 & t14, t18 = t6 ^ t17, t19 = ~t18;                        \
        x0 = t16; x1 = t7; x2 = t19; x3 = t14;                                \
    }

/* 20 gates, depth 13 */
#define SERPENT_I7(T, x0, x1, x2, x3)                                         \
    {                                                                         \
        T t4 = x0 ^ x1, t5 = x3 & t4, t6 = x1 ^ t5, t7 = x2 | t6,             \
          t8 = x1 ^ t7, t9 = ~t8, t10 = x3 ^ t9, t11 = x0 ^ t10,              \
          t12 = t6 ^ x3, t13 = t9 & t12, t14 = t11 ^ t13, t15 = x2 ^ t14,     \
          t16 = x3 ^ x2, t17 = x0 & t16, t18 = t11 ^ t17, t19 = t13 ^ t18,    \
          t20 = t11 ^ t19, t21 = t19 & x0, t22 = t5 | t21, t23 = x2 ^ t22;    \
        x0 = t15; x1 = t11; x2 = t20; x3 = t23;                               \
    }

#endif
