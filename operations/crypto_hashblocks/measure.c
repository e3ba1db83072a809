/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* crypto_hashblocks, timed:
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
    m.message = memory_take((size_t)most_length(), 64);
    bytes_fill(m.message, (size_t)most_length());
    bytes_fill(m.state, sizeof m.state);
    m.ready = 1;
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    if (!strcmp(sample->measure, "hashblocks"))
        TIME_SERIES(sample, (void)0,
                    crypto_hashblocks(m.state, m.message + sample->alignment, sample->length));
    else
        return -1;
    return 0;
}
