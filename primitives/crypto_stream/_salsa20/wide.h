/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Template on LANES_WORDS = 4, 8 or 16 (after lanes.h): what is Salsa20's own in
 * the passes of columns.h and rows.h. */

#define NAME(name) LANES_PASTE(name, LANES_WORDS)
#define V NAME(u32)

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

/* The input of a block a lane, the first with this counter, in diagonals:
 * (0 5 10 15), (4 9 14 3), (8 13 2 7), (12 1 6 11). */
LANES_INLINE NAME(cipher_rows)
    NAME(cipher_input)(const uint32_t key[8], const uint32_t nonce[2],
                       cipher_counter counter)
{
    static const uint32_t constant[4] = {0x61707865, 0x3320646e, 0x79622d32,
                                         0x6b206574};
    const V p = NAME(four)(key), q = NAME(four)(key + 4);
    const V n = NAME(count64)(counter, nonce[0], nonce[1]);
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

#include "../_salsa_chacha/columns.h"
#include "../_salsa_chacha/rows.h"

#undef V
#undef NAME
#undef LANES_WORDS
