/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_xof:
 *
 *   absorb   a message of `length` bytes, 32 bytes of output
 *   squeeze  a message of 32 bytes, `length` bytes of output */
#include <string.h>

#include "crypto_xof.h"
#include "timing.h"

#define SHORT 32

static struct {
    int ready;
    unsigned char *message, *out;
} m;

static void setup(void)
{
    m.message = allocate((size_t)max_length() + SHORT, 64);
    m.out = allocate((size_t)max_length() + SHORT, 64);
    m.ready = 1;
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    unsigned char *message = m.message + sample->alignment, *out = m.out + sample->alignment;
    if (!strcmp(sample->measure, "absorb")) {
        placed(PLACED_INPUT, message, (size_t)sample->length);
        placed(PLACED_OUTPUT, m.out, SHORT);
        prng_fill(message, sample->length);
        TIME_CHECKED(sample, freshen(message, sample->length), crypto_xof(m.out, SHORT, message, sample->length),
                     timed_output(m.out, SHORT));
    } else if (!strcmp(sample->measure, "squeeze")) {
        placed(PLACED_INPUT, m.message, SHORT);
        placed(PLACED_OUTPUT, out, (size_t)sample->length);
        TIME_CHECKED(sample, prng_fill(m.message, SHORT), crypto_xof(out, sample->length, m.message, SHORT),
                     timed_output(out, sample->length));
    } else
        return -1;
    return 0;
}
