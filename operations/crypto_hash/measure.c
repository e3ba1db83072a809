/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_hash:
 *
 *   hash  a message of `length` bytes */
#include <string.h>

#include "crypto_hash.h"
#include "timing.h"

static struct {
    int ready;
    unsigned char *message, out[crypto_hash_BYTES];
} m;

static void setup(void)
{
    m.message = allocate((size_t)max_length(), 64);
    prng_fill(m.message, (size_t)max_length());
    m.ready = 1;
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    placed(PLACED_INPUT, m.message + sample->alignment, (size_t)sample->length);
    placed(PLACED_OUTPUT, m.out, sizeof m.out);
    if (!strcmp(sample->measure, "hash"))
        TIME_SERIES(sample, (void)0, crypto_hash(m.out, m.message + sample->alignment, sample->length));
    else
        return -1;
    return 0;
}
