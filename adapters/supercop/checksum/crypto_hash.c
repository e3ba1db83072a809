/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_hash; see checksum.h. */
#include "crypto_hash.h"

#include "checksum.h"

static struct sum_array message, hash;

static int call(unsigned char *const *p)
{
    return crypto_hash(p[0], p[1], message.length);
}

static const struct sum_function function = {"crypto_hash", call, {&hash}, {&message}, 0, 0};

void sum_test(void)
{
    const size_t longest = sum_longest(128, 4096);
    sum_open(&message, "message", longest);
    sum_open(&hash, "hash", crypto_hash_BYTES);
    for (size_t loop = 0; loop < sum_loops(64, 512); loop++) {
        sum_input(&message, sum_random() % (longest + 1));
        hash.length = crypto_hash_BYTES;
        sum_run(&function);
    }
}
