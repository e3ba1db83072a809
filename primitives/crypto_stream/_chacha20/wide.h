/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Template on LANES_WORDS = 4, 8 or 16 (after lanes.h): what is ChaCha20's own
 * in the passes of ../_salsa20/columns.h and rows.h. */

#define NAME(name) LANES_PASTE(name, LANES_WORDS)
#define V NAME(u32)

LANES_INLINE void NAME(cipher_quarter)(V *a, V *b, V *c, V *d)
{
    *a += *b, *d ^= *a, *d = NAME(rotate_by_16)(*d);
    *c += *d, *b ^= *c, *b = NAME(rotate)(*b, 12);
    *a += *b, *d ^= *a, *d = NAME(rotate_by_8)(*d);
    *c += *d, *b ^= *c, *b = NAME(rotate)(*b, 7);
}

typedef struct {
    V a, b, c, d;
} NAME(cipher_rows);

/* The input of a block a lane, the first with this counter. */
LANES_INLINE NAME(cipher_rows)
    NAME(cipher_input)(const uint32_t key[8], const uint32_t nonce[3],
                       cipher_counter counter)
{
    static const uint32_t constant[4] = {0x61707865, 0x3320646e, 0x79622d32,
                                         0x6b206574};
    const NAME(cipher_rows) x = {
        NAME(four)(constant), NAME(four)(key), NAME(four)(key + 4),
        NAME(count32)(counter, nonce[0], nonce[1], nonce[2])};

    return x;
}

/* The row that changed last, b, is not rotated, so that no round waits for it:
 * where the RFC's diagonal round moves b, c, d by 1, 2, 3 words, this moves
 * a, c, d by -1, 1, 2. */
LANES_INLINE void NAME(cipher_double)(NAME(cipher_rows) *x)
{
    NAME(cipher_quarter)(&x->a, &x->b, &x->c, &x->d);
    x->a = NAME(shuffle)(x->a, 0x93);
    x->c = NAME(shuffle)(x->c, 0x39);
    x->d = NAME(shuffle)(x->d, 0x4e);
    NAME(cipher_quarter)(&x->a, &x->b, &x->c, &x->d);
    x->a = NAME(shuffle)(x->a, 0x39);
    x->c = NAME(shuffle)(x->c, 0x93);
    x->d = NAME(shuffle)(x->d, 0x4e);
}

LANES_INLINE void NAME(cipher_put)(uint8_t *out, const uint8_t *in,
                                   NAME(cipher_rows) x, NAME(cipher_rows) y)
{
    NAME(put_blocks)(out, in, 64, x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d);
}

#include "../_salsa_chacha/columns.h"
#include "../_salsa_chacha/rows.h"

#undef V
#undef NAME
#undef LANES_WORDS
