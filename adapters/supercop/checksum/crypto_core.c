/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_core; see checksum.h. */
#include "crypto_core.h"

#include "checksum.h"

static struct sum_array in, key, constant, out;

static int call(unsigned char *const *p)
{
    return crypto_core(p[0], p[1], p[2], p[3]);
}

static const struct sum_function core = {"crypto_core", call, {&out}, {&in, &key, &constant}, 0, 0};

static void draw(void)
{
    sum_input(&in, crypto_core_INPUTBYTES);
    sum_input(&key, crypto_core_KEYBYTES);
    sum_input(&constant, crypto_core_CONSTBYTES);
    out.length = crypto_core_OUTPUTBYTES;
}

#ifdef CHECKSUM_WEIGHTS /* for trees with a test-more.inc: inputs of every weight, from both ends */
static void weights(void)
{
    for (size_t weight = 0; weight <= crypto_core_INPUTBYTES; weight++)
        for (int last = 0; last < 2; last++) {
            draw();
            for (size_t i = 0; i < crypto_core_INPUTBYTES; i++) in.value[i] &= 0xfe;
            for (size_t i = 0; i < weight; i++) in.value[last ? crypto_core_INPUTBYTES - 1 - i : i]++;
            sum_run(&core);
        }
}
#else
static void weights(void)
{
}
#endif

#ifdef CHECKSUM_LOOPS /* for trees with a test-loops.inc, for slow functions */
#define LOOPS 8
#else
#define LOOPS 512
#endif

void sum_test(void)
{
    sum_open(&in, "input", crypto_core_INPUTBYTES);
    sum_open(&key, "key", crypto_core_KEYBYTES);
    sum_open(&constant, "constant", crypto_core_CONSTBYTES);
    sum_open(&out, "output", crypto_core_OUTPUTBYTES);
    for (size_t loop = 0; loop < sum_loops(LOOPS, 8 * LOOPS); loop++) {
        draw();
        sum_run(&core);
    }
    weights();
}
