/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_hash:
 *
 *   hash  a message of `length` bytes */
#include <string.h>

#include "crypto_hash.h"
#include "timing.h"

static struct {
    unsigned char *message, *out;
} m;

static void setup(void)
{
    m.message = allocate((size_t)max_length(), 64);
    m.out = allocate(crypto_hash_BYTES, 64);
}

int operation_measure(struct sample *sample)
{
    if (!m.out) setup();
    placed(PLACED_INPUT, m.message + sample->alignment, (size_t)sample->length);
    placed(PLACED_OUTPUT, m.out, crypto_hash_BYTES);
    unsigned char *message = m.message + sample->alignment, *const out = m.out;
    if (strcmp(sample->measure, "hash")) return -1;
    prng_fill(message, sample->length);
    TIME_CHECKED(sample, freshen(message, sample->length), crypto_hash(out, message, sample->length),
                 timed_output(out, crypto_hash_BYTES));
    return 0;
}
