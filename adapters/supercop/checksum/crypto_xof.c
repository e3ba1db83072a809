/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_xof; see checksum.h. */
#include "crypto_xof.h"

#include "checksum.h"

#ifndef crypto_xof_NOOVERLAP
#define crypto_xof_NOOVERLAP 0
#endif

static struct sum_array message, hash;

static int call(unsigned char *const *p)
{
    (void)crypto_xof(p[0], hash.length, p[1], message.length); /* the return value has no meaning */
    return 0;
}

static const struct sum_function xof = {"crypto_xof", call, {&hash}, {&message}, 0, crypto_xof_NOOVERLAP};

void sum_test(void)
{
    const size_t longest = sum_longest(128, 16384);
    sum_open(&message, "message", longest);
    sum_open(&hash, "output", longest);
    for (size_t loop = 0; loop < sum_loops(64, 512); loop++) {
        const size_t length = sum_random() % (longest + 1);
        hash.length = sum_random() % (longest + 1);
        sum_input(&message, length);
        sum_run(&xof);
    }
}
