/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_rng:
 *
 *   rng  one call: OUTPUTBYTES bytes and the next key */
#include <string.h>

#include "crypto_rng.h"
#include "timing.h"

static struct {
    int ready;
    unsigned char out[crypto_rng_OUTPUTBYTES], key[crypto_rng_KEYBYTES];
} m;

static void setup(void)
{
    prng_fill(m.key, sizeof m.key);
    m.ready = 1;
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    placed(PLACED_KEY, m.key, sizeof m.key);
    placed(PLACED_OUTPUT, m.out, sizeof m.out);
    if (!strcmp(sample->measure, "rng"))
        TIME_CHECKED(sample, prng_fill(m.key, sizeof m.key), crypto_rng(m.out, m.key, m.key),
                     (timed_output(m.out, sizeof m.out), timed_output(m.key, sizeof m.key)));
    else
        return -1;
    return 0;
}
