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
    m.ready = 1;
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    unsigned char *message = m.message + sample->alignment;
    if (strcmp(sample->measure, "hashblocks")) return -1;
    placed(PLACED_INPUT, message, (size_t)sample->length);
    placed(PLACED_OUTPUT, m.state, sizeof m.state);
    prng_fill(message, sample->length);
    TIME_CHECKED(sample, (prng_fill(m.state, sizeof m.state), freshen(message, sample->length)),
                 crypto_hashblocks(m.state, message, sample->length), timed_output(m.state, sizeof m.state));
    return 0;
}
