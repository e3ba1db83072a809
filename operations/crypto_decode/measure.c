/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_decode:
 *
 *   decode  a random string */
#include <string.h>

#include "crypto_decode.h"
#include "timing.h"

static struct {
    int ready;
    unsigned char string[crypto_decode_STRBYTES], *items;
} m;

static void setup(void)
{
    m.items = allocate((size_t)crypto_decode_ITEMS * crypto_decode_ITEMBYTES, 0);
    m.ready = 1;
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    placed(PLACED_INPUT, m.string, crypto_decode_STRBYTES);
    placed(PLACED_OUTPUT, m.items, (size_t)crypto_decode_ITEMS * crypto_decode_ITEMBYTES);
    if (!strcmp(sample->measure, "decode"))
        TIME_CHECKED(sample, prng_fill(m.string, crypto_decode_STRBYTES), crypto_decode(m.items, m.string),
                     timed_output(m.items, (size_t)crypto_decode_ITEMS * crypto_decode_ITEMBYTES));
    else
        return -1;
    return 0;
}
