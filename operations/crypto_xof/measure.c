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
    prng_fill(m.message, (size_t)max_length() + SHORT);
    m.ready = 1;
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    if (!strcmp(sample->measure, "absorb"))
        TIME_SERIES(sample, (void)0, crypto_xof(m.out, SHORT, m.message + sample->alignment, sample->length));
    else if (!strcmp(sample->measure, "squeeze"))
        TIME_SERIES(sample, (void)0, crypto_xof(m.out + sample->alignment, sample->length, m.message, SHORT));
    else
        return -1;
    return 0;
}
