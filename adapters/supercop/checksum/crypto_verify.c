/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_verify; see checksum.h. */
#include "checksum.h"

#include "crypto_verify.h"

#include <string.h>

/* Nothing is hashed; only the verdicts count. */
static struct sum_array x, y;

static int call(unsigned char *const *p)
{
    const int result = crypto_verify(p[0], p[1]);
    const int equal = !memcmp(x.value, y.value, crypto_verify_BYTES);
    if (result != (equal ? 0 : -1))
        harness_fail(WRONG_OUTPUT, "returns %d for %s strings", result, equal ? "equal" : "different");
    return 0;
}

static const struct sum_function verify = {"crypto_verify", call, {NULL}, {&x, &y}, 1, 1};

void sum_test(void)
{
    sum_open(&x, "x", crypto_verify_BYTES);
    sum_open(&y, "y", crypto_verify_BYTES);
    x.length = y.length = crypto_verify_BYTES;
    for (size_t loop = 0; loop < sum_loops(10000, 1000000); loop++) {
        prng_fill(x.value, crypto_verify_BYTES);
        prng_fill(y.value, crypto_verify_BYTES);
        (void)sum_try(&verify);
        memcpy(y.value, x.value, crypto_verify_BYTES);
        (void)sum_try(&verify);
        for (int i = 0; i < 3; i++) {
            y.value[prng_word() % crypto_verify_BYTES] = (unsigned char)prng_word();
            (void)sum_try(&verify);
        }
    }
}
