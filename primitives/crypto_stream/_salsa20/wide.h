/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Template on LANES_WORDS = 4, 8 or 16 (after lanes.h): what is Salsa20's own in
 * the passes of columns.h and rows.h.
 *
 * The words of the key stand in the order in which the diagonals want them:
 * 3 6 7 2 and 5 0 1 4, so that diagonals 1, 2, 3
 *     (4 9 14 3) = k3 counter1 k7 k2
 *     (8 13 2 7) = counter0 k6 k1 nonce1
 *     (12 1 6 11) = k5 k0 nonce0 k4
 * come out of these and of (counter0 counter1 nonce0 nonce1) with no word moved
 * to another column. */

#define NAME(name) LANES_PASTE(name, LANES_WORDS)
#define V NAME(u32)

#ifndef SALSA20_WIDE_H
#define SALSA20_WIDE_H
typedef uint64_t cipher_counter;

#define CIPHER_ROUNDS SALSA20_ROUNDS
#define CIPHER_INPUT(PUT)                                                      \
    PUT(0, 0x61707865)                                                         \
    PUT(1, key[5])                                                             \
    PUT(2, key[6])                                                             \
    PUT(3, key[3])                                                             \
    PUT(4, key[0])                                                             \
    PUT(5, 0x3320646e)                                                         \
    PUT(6, nonce[0])                                                           \
    PUT(7, nonce[1])                                                           \
    PUT(10, 0x79622d32)                                                        \
    PUT(11, key[7])                                                            \
    PUT(12, key[4])                                                            \
    PUT(13, key[1])                                                            \
    PUT(14, key[2])                                                            \
    PUT(15, 0x6b206574)
#define CIPHER_INPUT_COUNTER(PUT, low, high) PUT(8, low) PUT(9, high)
#define CIPHER_DOUBLE_ROUND(QUARTER)                                           \
    QUARTER(0, 4, 8, 12)                                                       \
    QUARTER(5, 9, 13, 1)                                                       \
    QUARTER(10, 14, 2, 6)                                                      \
    QUARTER(15, 3, 7, 11)                                                      \
    QUARTER(0, 1, 2, 3)                                                        \
    QUARTER(5, 6, 7, 4)                                                        \
    QUARTER(10, 11, 8, 9)                                                      \
    QUARTER(15, 12, 13, 14)

LANES_INLINE void cipher_quarter(uint32_t *a, uint32_t *b, uint32_t *c,
                                 uint32_t *d)
{
    *b ^= rotl32(*a + *d, 7);
    *c ^= rotl32(*b + *a, 9);
    *d ^= rotl32(*c + *b, 13);
    *a ^= rotl32(*d + *c, 18);
}
#endif

LANES_INLINE void NAME(cipher_quarter)(V *a, V *b, V *c, V *d)
{
    V t;

    t = *a + *d;
    *b ^= NAME(rotate)(t, 7);
    t = *b + *a;
    *c ^= NAME(rotate)(t, 9);
    t = *c + *b;
    *d ^= NAME(rotate)(t, 13);
    t = *d + *c;
    *a ^= NAME(rotate)(t, 18);
}

typedef struct {
    V a, b, c, d;
} NAME(cipher_rows);

/* The input of a block a lane, the first with this counter, in diagonals. */
LANES_INLINE NAME(cipher_rows)
    NAME(cipher_input)(const uint32_t key[8], const uint32_t nonce[2],
                       cipher_counter counter)
{
    static const uint32_t constant[4] = {0x61707865, 0x3320646e, 0x79622d32,
                                         0x6b206574};
    const V p = NAME(four)(key), q = NAME(four)(key + 4);
    const V n = (V)(NAME(pair)(counter, (uint64_t)nonce[1] << 32 | nonce[0]) +
                    NAME(lane_number)());
    const NAME(cipher_rows) x = {
        NAME(four)(constant), NAME(select)(p, n, 2),
        NAME(select)(NAME(select)(n, p, 2), q, 4), NAME(select)(q, n, 4)};

    return x;
}

/* The vector that changed last is not rotated, so that no round waits for it. */
LANES_INLINE void NAME(cipher_double)(NAME(cipher_rows) *x)
{
    NAME(cipher_quarter)(&x->a, &x->b, &x->c, &x->d);
    x->b = NAME(shuffle)(x->b, 0x93);
    x->c = NAME(shuffle)(x->c, 0x4e);
    x->d = NAME(shuffle)(x->d, 0x39);
    NAME(cipher_quarter)(&x->a, &x->d, &x->c, &x->b);
    x->b = NAME(shuffle)(x->b, 0x39);
    x->c = NAME(shuffle)(x->c, 0x4e);
    x->d = NAME(shuffle)(x->d, 0x93);
}

/* Adds the input and takes the rows out of the diagonals: word j of row i is
 * word j of diagonal i - j mod 4. */
LANES_INLINE void NAME(cipher_put)(uint8_t *out, const uint8_t *in,
                                   NAME(cipher_rows) x, NAME(cipher_rows) y)
{
    const V a = x.a + y.a, b = x.b + y.b, c = x.c + y.c, d = x.d + y.d;
    const V ac = NAME(select)(a, c, 12), ca = NAME(select)(c, a, 12);
    const V bd = NAME(select)(b, d, 12), db = NAME(select)(d, b, 12);

    NAME(put_blocks)(out, in, 64, NAME(select)(ac, db, 10),
                     NAME(select)(bd, ac, 10), NAME(select)(ca, bd, 10),
                     NAME(select)(db, ca, 10));
}

#include "columns.h"
#include "rows.h"

#undef V
#undef NAME
