/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_core:
 *
 *   core  one call */
#include <string.h>

#include "crypto_core.h"
#include "timing.h"

static struct {
    int ready;
    unsigned char out[crypto_core_OUTPUTBYTES + 1], in[crypto_core_INPUTBYTES + 1];
    unsigned char *keys; /* on a page of their own: what is beside them is not read */
    unsigned char *key, constant[crypto_core_CONSTBYTES + 1];
} m;

static void setup(void)
{
    m.keys = allocate(crypto_core_KEYBYTES + 64, 0);
    prng_fill(m.keys, crypto_core_KEYBYTES + 64);
    prng_fill(m.constant, crypto_core_CONSTBYTES);
    m.ready = 1;
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    m.key = m.keys + sample->key_alignment;
    placed(PLACED_KEY, m.key, crypto_core_KEYBYTES);
    placed(PLACED_INPUT, m.in, crypto_core_INPUTBYTES);
    placed(PLACED_OUTPUT, m.out, crypto_core_OUTPUTBYTES);
    if (!strcmp(sample->measure, "core"))
        TIME_CHECKED(sample, prng_fill(m.in, crypto_core_INPUTBYTES), crypto_core(m.out, m.in, m.key, m.constant),
                     timed_output(m.out, crypto_core_OUTPUTBYTES));
    else
        return -1;
    return 0;
}
