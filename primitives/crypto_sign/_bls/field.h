/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS_FIELD_H
#define BLS_FIELD_H

/* F_p, p = 0x7DDCA613A2E3DDB1749D0195BB9F14CF44626303, on one of the field_*.h,
 * which gives the type fp and
 *
 *   fp_add, fp_sub, fp_mul(r, a, b)    r may be a or b
 *   fp_sum3(r, a, b)                   r = a[0] b[0] + a[1] b[1] + a[2] b[2]
 *   fp_get(r, bytes)                   24 bytes, big-endian, any number
 *   fp_put(bytes, a)                   20 bytes, big-endian, below p */

static inline void fp_get20(fp *r, const uint8_t bytes[20])
{
    uint8_t all[24] = {0};

    memcpy(all + 4, bytes, 20);
    fp_get(r, all);
}

static inline void fp_set(fp *r, unsigned char x)
{
    uint8_t bytes[24] = {0};

    bytes[23] = x;
    fp_get(r, bytes);
}

static inline void fp_double(fp *r, const fp *a)
{
    fp_add(r, a, a);
}

/* r = -a where minus is not 0, else a */
static inline void fp_sign(fp *r, const fp *a, int minus)
{
    const fp zero = {{0}};

    if (minus)
        fp_sub(r, &zero, a);
    else
        *r = *a;
}

static inline int fp_is_zero(const fp *a)
{
    uint8_t bytes[20], any = 0;

    fp_put(bytes, a);
    for (int i = 0; i < 20; i++) any |= bytes[i];
    return any == 0;
}

static inline int fp_is_odd(const fp *a)
{
    uint8_t bytes[20];

    fp_put(bytes, a);
    return bytes[19] & 1;
}

/* r = a^e, four bits of the exponent at a time */
static void fp_power(fp *r, const fp *a, const uint8_t e[20])
{
    fp table[16], x;

    fp_set(&table[0], 1);
    for (int i = 1; i < 16; i++) fp_mul(&table[i], &table[i - 1], a);
    x = table[e[0] >> 4];
    for (int i = 1; i < 40; i++) {
        for (int j = 0; j < 4; j++) fp_mul(&x, &x, &x);
        fp_mul(&x, &x, &table[e[i / 2] >> 4 * (1 - i % 2) & 15]);
    }
    *r = x;
}

static inline void fp_invert(fp *r, const fp *a)
{
    static const uint8_t e[20] = {/* p - 2 */
        0x7d, 0xdc, 0xa6, 0x13, 0xa2, 0xe3, 0xdd, 0xb1, 0x74, 0x9d,
        0x01, 0x95, 0xbb, 0x9f, 0x14, 0xcf, 0x44, 0x62, 0x63, 0x01};

    fp_power(r, a, e);
}

/* -1 when a has no square root */
static inline int fp_root(fp *r, const fp *a)
{
    static const uint8_t e[20] = {/* (p + 1) / 4 */
        0x1f, 0x77, 0x29, 0x84, 0xe8, 0xb8, 0xf7, 0x6c, 0x5d, 0x27,
        0x40, 0x65, 0x6e, 0xe7, 0xc5, 0x33, 0xd1, 0x18, 0x98, 0xc1};
    fp t, x = *a;

    fp_power(r, &x, e);
    fp_mul(&t, r, r);
    fp_sub(&t, &t, &x);
    return fp_is_zero(&t) ? 0 : -1;
}

#endif
