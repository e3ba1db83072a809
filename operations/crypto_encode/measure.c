/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_encode:
 *
 *   encode  random items 0 and 1, which every definition allows */
#include <string.h>

#include "crypto_encode.h"
#include "timing.h"

static struct {
    int ready;
    unsigned char string[crypto_encode_STRBYTES], *items;
} m;

static void setup(void)
{
    m.items = allocate((size_t)crypto_encode_ITEMS * crypto_encode_ITEMBYTES, 0);
    m.ready = 1;
}

/* Items 0 or 1 in the machine's byte order. */
static void renew(void)
{
    const uint16_t order = 1;
    const size_t low = *(const uint8_t *)&order ? 0 : crypto_encode_ITEMBYTES - 1;
    for (size_t i = 0; i < crypto_encode_ITEMS; i++)
        m.items[i * crypto_encode_ITEMBYTES + low] = (uint8_t)(prng_word() & 1);
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    placed(PLACED_INPUT, m.items, (size_t)crypto_encode_ITEMS * crypto_encode_ITEMBYTES);
    placed(PLACED_OUTPUT, m.string, sizeof m.string);
    if (!strcmp(sample->measure, "encode"))
        TIME_CHECKED(sample, renew(), crypto_encode(m.string, m.items), timed_output(m.string, sizeof m.string));
    else
        return -1;
    return 0;
}
