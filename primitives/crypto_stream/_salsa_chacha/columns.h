/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Template, for wide.h: passes with a block in each column of sixteen vectors
 * (vector i holds word i of LANES_WORDS blocks), with one block more or not. */

LANES_INLINE void NAME(transpose)(V *a, V *b, V *c, V *d)
{
    const V ab = NAME(low32)(*a, *b), AB = NAME(high32)(*a, *b);
    const V cd = NAME(low32)(*c, *d), CD = NAME(high32)(*c, *d);

    *a = NAME(low64)(ab, cd);
    *b = NAME(high64)(ab, cd);
    *c = NAME(low64)(AB, CD);
    *d = NAME(high64)(AB, CD);
}

/* Transposing by words and pairs of words gives vectors whose lanes hold four
 * successive words of one block; put_blocks does the rest.  Overwrites x. */
LANES_INLINE void NAME(put_columns)(uint8_t *out, const uint8_t *in, V x[16])
{
    NAME(transpose)(&x[0], &x[1], &x[2], &x[3]);
    NAME(transpose)(&x[4], &x[5], &x[6], &x[7]);
    NAME(transpose)(&x[8], &x[9], &x[10], &x[11]);
    NAME(transpose)(&x[12], &x[13], &x[14], &x[15]);
    if (in) {
        NAME(put_blocks)(out, in, 256, x[0], x[4], x[8], x[12]);
        NAME(put_blocks)(out + 64, in + 64, 256, x[1], x[5], x[9], x[13]);
        NAME(put_blocks)(out + 128, in + 128, 256, x[2], x[6], x[10], x[14]);
        NAME(put_blocks)(out + 192, in + 192, 256, x[3], x[7], x[11], x[15]);
    } else {
        NAME(put_blocks)(out, 0, 256, x[0], x[4], x[8], x[12]);
        NAME(put_blocks)(out + 64, 0, 256, x[1], x[5], x[9], x[13]);
        NAME(put_blocks)(out + 128, 0, 256, x[2], x[6], x[10], x[14]);
        NAME(put_blocks)(out + 192, 0, 256, x[3], x[7], x[11], x[15]);
    }
}

#define COLUMNS_NAME NAME(cipher_columns)
#include "columns_pass.h"
#define COLUMNS_NAME NAME(cipher_columns_and_one)
#define COLUMNS_AND_ONE
#include "columns_pass.h"
