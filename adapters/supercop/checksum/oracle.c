/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The verb `oracle checksumsmall` or `oracle checksumbig`: the conditions under which a tree's own tests run, then the
 * operation's test. */
#include <string.h>
#include <sys/resource.h>

#include "checksum.h"
#include "generators.h"

static unsigned char pool[736], pool_key[32];
static size_t pooled;

/* The stream of bytes does not depend on how calls divide it. */
static void known_random_bytes(unsigned char *x, unsigned long long xlen)
{
    unsigned char blocks[768];
    for (; xlen; xlen--) {
        if (!pooled) {
            for (uint32_t i = 0; i < 12; i++) chacha_block(blocks + 64 * i, i, pool_key);
            memcpy(pool_key, blocks, 32);
            memcpy(pool, blocks + 32, 736);
            pooled = 736;
        }
        *x++ = pool[sizeof pool - pooled--];
    }
}

/* As in the tests of this tree, where code that cannot open /dev/urandom uses a fixed seed; the
 * published checksums depend on that. */
static void open_nothing(void)
{
    const struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_NOFILE, &none)) harness_fail(HARNESS_ERROR, "the number of open files cannot be limited");
}

int oracle_answer(const char *name)
{
    const int big = !strcmp(name, "checksumbig");
    if (!big && strcmp(name, "checksumsmall")) return -1;
    harness_lenient = 1; /* as in the tests of this tree */
    random_use(known_random_bytes);
    open_nothing();
    sum_start(big);
    sum_test();
    sum_answer();
    return 0;
}
