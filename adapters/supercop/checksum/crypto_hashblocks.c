/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_hashblocks; see checksum.h. */
#include "crypto_hashblocks.h"

#include "checksum.h"

#include <string.h>

static struct sum_array state, message, next;

static int call(unsigned char *const *p)
{
    memcpy(p[0], p[1], crypto_hashblocks_STATEBYTES);
    return crypto_hashblocks(p[0], p[2], message.length) != (int)(message.length % crypto_hashblocks_BLOCKBYTES);
}

static const struct sum_function hashblocks = {"crypto_hashblocks", call, {&next}, {&state, &message}, 0, 1};

void sum_test(void)
{
    const size_t longest = sum_longest(128, 4096);
    sum_open(&state, "state", crypto_hashblocks_STATEBYTES);
    sum_open(&next, "next state", crypto_hashblocks_STATEBYTES);
    sum_open(&message, "message", longest);
    for (size_t loop = 0; loop < sum_loops(4096, 32768); loop++) {
        sum_input(&message, sum_random() % (longest + 1));
        sum_input(&state, crypto_hashblocks_STATEBYTES);
        next.length = crypto_hashblocks_STATEBYTES;
        sum_run(&hashblocks);
    }
}
