/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_KEM_FIELD_H
#define ML_KEM_FIELD_H

/* Numbers modulo q = 3329 (FIPS 203, section 2.4), polynomials of 256 of them, and
 * their number-theoretic transform (section 4.3).
 *
 * A coefficient is any int16_t of its class; functions say which sizes they take and
 * give.  Products are Montgomery's: x * y / 2^16, so that no division is needed. */

#include <stdint.h>

#define Q 3329
#define Q_INVERSE 62209 /* modulo 2^16 */
#define MONTGOMERY_SQUARE 1353 /* 2^32 mod q: fq_multiply by it multiplies by 2^16 */

typedef struct {
    _Alignas(32) int16_t c[256];
} poly;

/* The low 16 bits as a signed number. */
static inline int16_t low16(int32_t x)
{
    return (int16_t)(uint16_t)x;
}

/* x y / 2^16, less than q in size, for |x y| < 2^15 q.  The low halves of x y and of m q are
 * equal: only the high ones need to be subtracted, and that suits vectors of 16-bit lanes. */
static inline int16_t fq_multiply(int16_t x, int16_t y)
{
    const int32_t product = (int32_t)x * y;
    const int16_t m = low16((int32_t)((uint32_t)product * Q_INVERSE & 0xffff));
    return (int16_t)((product >> 16) - (m * (int32_t)Q >> 16));
}

/* The representative of least size, at most (q - 1)/2, for any x. */
static inline int16_t fq_reduce(int16_t x)
{
    const int32_t quotient = (20159 * (int32_t)x + (1 << 25)) >> 26; /* 20159 = 2^26 / q, rounded */
    return (int16_t)(x - quotient * Q);
}

/* The representative from 0 to q - 1, for |x| < q. */
static inline uint16_t fq_canonical(int16_t x)
{
    return (uint16_t)(x + (Q & -(int)((uint16_t)x >> 15)));
}

/* 2^16 17^BitRev7(i): FIPS 203, appendix A, in Montgomery's form. */
static const int16_t zetas[128] = {
    -1044,  -758,  -359, -1517,  1493,  1422,   287,   202,  -171,   622,  1577,   182,   962, -1202, -1474,  1468,
      573, -1325,   264,   383,  -829,  1458, -1602,  -130,  -681,  1017,   732,   608, -1542,   411,  -205, -1571,
     1223,   652,  -552,  1015, -1293,  1491,  -282, -1544,   516,    -8,  -320,  -666, -1618, -1162,   126,  1469,
     -853,   -90,  -271,   830,   107, -1421,  -247,  -951,  -398,   961, -1508,  -725,   448, -1065,   677, -1275,
    -1103,   430,   555,   843, -1251,   871,  1550,   105,   422,   587,   177,  -235,  -291,  -460,  1574,  1653,
     -246,   778,  1159,  -147,  -777,  1483,  -602,  1119, -1590,   644,  -872,   349,   418,   329,  -156,   -75,
      817,  1097,   603,   610,  1322, -1285, -1465,   384, -1215,  -136,  1218, -1335,  -874,   220, -1187, -1659,
    -1185, -1530, -1278,   794, -1510,  -854,  -870,   478,  -108,  -308,   996,   991,   958, -1460,  1522,  1628,
};

static inline void poly_add(poly *sum, const poly *x)
{
    for (unsigned i = 0; i < 256; i++) sum->c[i] = (int16_t)(sum->c[i] + x->c[i]);
}

static inline void poly_reduce(poly *p)
{
    for (unsigned i = 0; i < 256; i++) p->c[i] = fq_reduce(p->c[i]);
}

#endif
