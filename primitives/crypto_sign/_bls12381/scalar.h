/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS12381_SCALAR_H
#define BLS12381_SCALAR_H

/* Numbers modulo q = x^4 - x^2 + 1, the order of the groups, in constant time. */

typedef struct {
    uint32_t w[8]; /* the lowest first */
} scalar;

static const uint32_t group_order[8] = {0x00000001, 0xffffffff, 0xfffe5bfe, 0x53bda402,
                                        0x09a1d805, 0x3339d808, 0x299d7d48, 0x73eda753};

/* r = a - q; the borrow */
static uint32_t subtract_order(scalar *r, const scalar *a)
{
    uint32_t borrow = 0;

    for (int i = 0; i < 8; i++) {
        uint64_t t = (uint64_t)a->w[i] - group_order[i] - borrow;
        r->w[i] = (uint32_t)t;
        borrow = (uint32_t)(t >> 32) & 1;
    }
    return borrow;
}

/* bytes, big-endian, modulo q, bit by bit: 2k + 1 < 2q < 2^256 */
static void scalar_reduce(scalar *k, const uint8_t *bytes, int length)
{
    scalar t;

    memset(k, 0, sizeof *k);
    for (int n = 0; n < 8 * length; n++) {
        uint32_t carry = bytes[n / 8] >> (7 - n % 8) & 1;
        for (int i = 0; i < 8; i++) {
            uint32_t top = k->w[i] >> 31;
            k->w[i] = k->w[i] << 1 | carry;
            carry = top;
        }
        uint32_t mask = subtract_order(&t, k) - 1; /* 0 where k < q */
        for (int i = 0; i < 8; i++) k->w[i] ^= (k->w[i] ^ t.w[i]) & mask;
    }
}

static int scalar_is_zero(const scalar *k)
{
    uint32_t any = 0;

    for (int i = 0; i < 8; i++) any |= k->w[i];
    return (int)(1 ^ (any | (0 - any)) >> 31);
}

static void scalar_put(uint8_t bytes[32], const scalar *k)
{
    for (int i = 0; i < 8; i++) store_be32(bytes + 28 - 4 * i, k->w[i]);
}

/* -1 where it is not below q, or is 0 */
static int scalar_get(scalar *k, const uint8_t bytes[32])
{
    scalar t;

    for (int i = 0; i < 8; i++) k->w[i] = load_be32(bytes + 28 - 4 * i);
    return -((int)(subtract_order(&t, k) ^ 1) | scalar_is_zero(k));
}

/* r = a mod curve_x, a = a / curve_x, bit by bit */
static uint64_t divide_by_x(scalar *a)
{
    uint64_t rest = 0;

    for (int n = 255; n >= 0; n--) {
        uint32_t *w = &a->w[n / 32];
        uint64_t over = rest >> 63;
        rest = rest << 1 | (*w >> n % 32 & 1);
        uint64_t t = rest - curve_x;
        /* the borrow of that: the top bit of (~rest & x) | ((~rest | x) & t) */
        uint64_t below = ((~rest & curve_x) | ((~rest | curve_x) & t)) >> 63;
        uint64_t enough = over | (below ^ 1);
        rest = rest ^ ((rest ^ t) & (0 - enough));
        *w = (*w & ~((uint32_t)1 << n % 32)) | (uint32_t)enough << n % 32;
    }
    return rest;
}

/* k = sum of digit[j] curve_x^j, as q < curve_x^4 */
static void scalar_digits(uint64_t digit[4], const scalar *k)
{
    scalar t = *k;

    for (int j = 0; j < 4; j++) digit[j] = divide_by_x(&t);
}

#endif
