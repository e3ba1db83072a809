/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Template on LANES_WORDS = 4, 8 or 16 (after lanes.h): what is ChaCha20's own
 * in the passes of ../_salsa20/columns.h and rows.h. */

#define NAME(name) LANES_PASTE(name, LANES_WORDS)
#define V NAME(u32)

#ifndef CHACHA20_WIDE_H
#define CHACHA20_WIDE_H
typedef uint32_t cipher_counter;

#define CIPHER_ROUNDS 20
#define CIPHER_INPUT(PUT)                                                      \
    PUT(0, 0x61707865)                                                         \
    PUT(1, 0x3320646e)                                                         \
    PUT(2, 0x79622d32)                                                         \
    PUT(3, 0x6b206574)                                                         \
    PUT(4, key[0])                                                             \
    PUT(5, key[1])                                                             \
    PUT(6, key[2])                                                             \
    PUT(7, key[3])                                                             \
    PUT(8, key[4])                                                             \
    PUT(9, key[5])                                                             \
    PUT(10, key[6])                                                            \
    PUT(11, key[7])                                                            \
    PUT(13, nonce[0])                                                          \
    PUT(14, nonce[1])                                                          \
    PUT(15, nonce[2])
#define CIPHER_INPUT_COUNTER(PUT, low, high) PUT(12, low) (void)(high);
#define CIPHER_DOUBLE_ROUND(QUARTER)                                           \
    QUARTER(0, 4, 8, 12)                                                       \
    QUARTER(1, 5, 9, 13)                                                       \
    QUARTER(2, 6, 10, 14)                                                      \
    QUARTER(3, 7, 11, 15)                                                      \
    QUARTER(0, 5, 10, 15)                                                      \
    QUARTER(1, 6, 11, 12)                                                      \
    QUARTER(2, 7, 8, 13)                                                       \
    QUARTER(3, 4, 9, 14)

LANES_INLINE void cipher_quarter(uint32_t *a, uint32_t *b, uint32_t *c,
                                 uint32_t *d)
{
    *a += *b, *d = rotl32(*d ^ *a, 16);
    *c += *d, *b = rotl32(*b ^ *c, 12);
    *a += *b, *d = rotl32(*d ^ *a, 8);
    *c += *d, *b = rotl32(*b ^ *c, 7);
}
#endif

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
        (V)NAME(pair)((uint64_t)nonce[0] << 32 | counter,
                      (uint64_t)nonce[2] << 32 | nonce[1]) +
            (V)NAME(lane_number)()};

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

#include "../_salsa20/columns.h"
#include "../_salsa20/rows.h"

#undef V
#undef NAME
