/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_rng; see checksum.h. */
#include "crypto_rng.h"

#include "checksum.h"

static struct sum_array key, next, out;

static int call(unsigned char *const *p)
{
    return crypto_rng(p[0], p[1], p[2]);
}

static const struct sum_function rng = {"crypto_rng", call, {&out, &next}, {&key}, 0, 0};

void sum_test(void)
{
    sum_open(&key, "key", crypto_rng_KEYBYTES);
    sum_open(&next, "next key", crypto_rng_KEYBYTES);
    sum_open(&out, "output", crypto_rng_OUTPUTBYTES);
    for (size_t loop = 0; loop < sum_loops(64, 512); loop++) {
        sum_input(&key, crypto_rng_KEYBYTES);
        out.length = crypto_rng_OUTPUTBYTES;
        next.length = crypto_rng_KEYBYTES;
        sum_run(&rng);
    }
}
