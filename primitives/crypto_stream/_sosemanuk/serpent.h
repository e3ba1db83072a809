/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SOSEMANUK_SERPENT_H
#define SOSEMANUK_SERPENT_H

/* The S-boxes of Serpent (Anderson, Biham, Knudsen, "Serpent", appendix A.5) as
 * circuits on four words; bit i of a nibble is in x_i.  T is any type with
 * & | ^ ~.  The circuits were searched for this file from the tables, by
 * random decomposition, for few gates and little depth: a nonce goes through
 * 24 of them one after the other. */

#define SERPENT_S(k, T, x0, x1, x2, x3) SERPENT_S##k(T, x0, x1, x2, x3)

/* 19 gates, depth 5 */
#define SERPENT_S0(T, x0, x1, x2, x3)                                          \
    {                                                                          \
        T t4 = x3 ^ x2, t5 = x3 ^ x0, t6 = t4 ^ x1, t7 = t5 & x0, t8 = t7 ^ t6,\
          t9 = ~x2, t10 = t9 ^ t5, t11 = t5 | x2, t12 = t11 ^ x0,              \
          t13 = t12 & t8, t14 = t13 ^ t10, t15 = t12 & t11, t16 = t10 | x2,    \
          t17 = t16 & t6, t18 = t17 ^ t15, t19 = t12 ^ t9, t20 = t11 ^ x3,     \
          t21 = t20 & t8, t22 = t21 ^ t19;                                     \
        x0 = t22; x1 = t14; x2 = t18; x3 = t8;                                 \
    }

/* 18 gates, depth 6 */
#define SERPENT_S1(T, x0, x1, x2, x3)                                          \
    {                                                                          \
        T t4 = x1 | x0, t5 = ~x0, t6 = t5 | x3, t7 = x1 ^ t6, t8 = x3 | x1,    \
          t9 = x3 & x0, t10 = t9 ^ t8, t11 = t10 & x2, t12 = t11 ^ t7,         \
          t13 = x3 ^ x2, t14 = t8 ^ t13, t15 = ~t14, t16 = t15 & t12,          \
          t17 = t16 ^ t10, t18 = t13 ^ t4, t19 = t18 ^ t5, t20 = t18 ^ x1,     \
          t21 = t20 ^ t16;                                                     \
        x0 = t12; x1 = t17; x2 = t19; x3 = t21;                                \
    }

/* 15 gates, depth 5 */
#define SERPENT_S2(T, x0, x1, x2, x3)                                          \
    {                                                                          \
        T t4 = x1 ^ x0, t5 = ~x2, t6 = t5 ^ t4, t7 = x2 & x0, t8 = t7 ^ x3,    \
          t9 = t8 & x1, t10 = t9 ^ t6, t11 = t8 ^ x2, t12 = t11 ^ x1,          \
          t13 = t5 & t4, t14 = t6 | x0, t15 = t14 & t8, t16 = t15 ^ t13,       \
          t17 = t11 | t4, t18 = t17 ^ t15;                                     \
        x0 = t12; x1 = t18; x2 = t16; x3 = t10;                                \
    }

/* 18 gates, depth 5 */
#define SERPENT_S3(T, x0, x1, x2, x3)                                          \
    {                                                                          \
        T t4 = x1 & x0, t5 = x2 ^ x1, t6 = t4 ^ x0, t7 = t6 | t5, t8 = x3 ^ x2,\
          t9 = t8 | x0, t10 = t9 & x3, t11 = t10 ^ t7, t12 = t8 | t4,          \
          t13 = t12 ^ x0, t14 = x1 & x3, t15 = t14 ^ t13, t16 = t10 | x0,      \
          t17 = t5 | x3, t18 = t17 & x1, t19 = t18 ^ t16, t20 = t13 ^ t7,      \
          t21 = t20 ^ t16;                                                     \
        x0 = t19; x1 = t21; x2 = t15; x3 = t11;                                \
    }

/* 17 gates, depth 5 */
#define SERPENT_S4(T, x0, x1, x2, x3)                                          \
    {                                                                          \
        T t4 = x3 | x2, t5 = x3 ^ x0, t6 = t5 ^ t4, t7 = x2 ^ x0, t8 = t7 | t5,\
          t9 = t8 & x1, t10 = t9 ^ t6, t11 = t7 | x2, t12 = t11 ^ x1,          \
          t13 = t12 & t4, t14 = t13 ^ t8, t15 = x1 ^ x0, t16 = t15 | t5,       \
          t17 = t16 ^ t7, t18 = ~t17, t19 = t17 | x1, t20 = t19 ^ t5;          \
        x0 = t18; x1 = t14; x2 = t10; x3 = t20;                                \
    }

/* 16 gates, depth 6 */
#define SERPENT_S5(T, x0, x1, x2, x3)                                          \
    {                                                                          \
        T t4 = x1 ^ x0, t5 = t4 | x0, t6 = ~x3, t7 = t6 ^ x2, t8 = x3 ^ x1,    \
          t9 = t8 & t4, t10 = t9 ^ t7, t11 = t7 ^ t5, t12 = t10 & x0,          \
          t13 = t12 & t8, t14 = t13 ^ t11, t15 = t10 & t6, t16 = t15 ^ t4,     \
          t17 = t11 & t10, t18 = t17 ^ t6, t19 = t16 ^ t18;                    \
        x0 = t10; x1 = t16; x2 = t19; x3 = t14;                                \
    }

/* 20 gates, depth 4 */
#define SERPENT_S6(T, x0, x1, x2, x3)                                          \
    {                                                                          \
        T t4 = x3 | x2, t5 = x3 ^ x0, t6 = t4 ^ t5, t7 = ~t6, t8 = x2 ^ x0,    \
          t9 = t8 | t5, t10 = t9 & x1, t11 = t10 ^ t7, t12 = t8 | x1,          \
          t13 = t12 ^ t5, t14 = t5 | x1, t15 = t14 & x2, t16 = t15 ^ t13,      \
          t17 = ~x2, t18 = x3 & x0, t19 = t18 ^ t17, t20 = x1 ^ t19,           \
          t21 = t17 | x0, t22 = t21 ^ t14, t23 = t10 ^ t22;                    \
        x0 = t23; x1 = t20; x2 = t11; x3 = t16;                                \
    }

/* 19 gates, depth 6 */
#define SERPENT_S7(T, x0, x1, x2, x3)                                          \
    {                                                                          \
        T t4 = ~x2, t5 = x1 & x0, t6 = t5 ^ t4, t7 = x1 ^ x0, t8 = t7 | x2,    \
          t9 = t8 & x3, t10 = t9 ^ t6, t11 = t7 ^ x2, t12 = x2 & x0,           \
          t13 = t12 ^ x3, t14 = t13 & t10, t15 = t14 ^ t11, t16 = t13 ^ t8,    \
          t17 = t6 & x0, t18 = t17 & t10, t19 = t18 ^ t16, t20 = t16 ^ t7,     \
          t21 = t20 & x0, t22 = t21 ^ t11;                                     \
        x0 = t10; x1 = t19; x2 = t15; x3 = t22;                                \
    }

#endif
