/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_hashblocks:
 *
 *   hashblocks  an input of `length` bytes */
#include <string.h>

#include "crypto_hashblocks.h"
#include "timing.h"

static struct {
    int ready;
    unsigned char *message, state[crypto_hashblocks_STATEBYTES];
} m;

static void setup(void)
{
    m.message = allocate((size_t)max_length(), 64);
    prng_fill(m.message, (size_t)max_length());
    prng_fill(m.state, sizeof m.state);
    m.ready = 1;
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    if (!strcmp(sample->measure, "hashblocks"))
        TIME_SERIES(sample, (void)0, crypto_hashblocks(m.state, m.message + sample->alignment, sample->length));
    else
        return -1;
    return 0;
}
