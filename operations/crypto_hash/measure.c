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
    m.ready = 1;
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    placed(PLACED_INPUT, m.message + sample->alignment, (size_t)sample->length);
    placed(PLACED_OUTPUT, m.out, sizeof m.out);
    unsigned char *message = m.message + sample->alignment;
    if (strcmp(sample->measure, "hash")) return -1;
    prng_fill(message, sample->length);
    TIME_CHECKED(sample, freshen(message, sample->length), crypto_hash(m.out, message, sample->length),
                 timed_output(m.out, sizeof m.out));
    return 0;
}
