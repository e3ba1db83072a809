/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_scalarmult; see checksum.h. */
#include "crypto_scalarmult.h"

#include "checksum.h"

static struct sum_array a, b, c, d, e, f;

static int call_base(unsigned char *const *p)
{
    return crypto_scalarmult_base(p[0], p[1]);
}

static int call(unsigned char *const *p)
{
    return crypto_scalarmult(p[0], p[1], p[2]);
}

static const struct sum_function base_a = {"crypto_scalarmult_base", call_base, {&c}, {&a}, 0, 0},
                                 base_b = {"crypto_scalarmult_base", call_base, {&d}, {&b}, 0, 0},
                                 a_d = {"crypto_scalarmult", call, {&e}, {&a, &d}, 0, 0},
                                 b_c = {"crypto_scalarmult", call, {&f}, {&b, &c}, 0, 0};

void sum_test(void)
{
    sum_open(&a, "first scalar", crypto_scalarmult_SCALARBYTES);
    sum_open(&b, "second scalar", crypto_scalarmult_SCALARBYTES);
    sum_open(&c, "first product", crypto_scalarmult_BYTES);
    sum_open(&d, "second product", crypto_scalarmult_BYTES);
    sum_open(&e, "one shared element", crypto_scalarmult_BYTES);
    sum_open(&f, "the other shared element", crypto_scalarmult_BYTES);
    for (size_t loop = 0; loop < sum_loops(64, 512); loop++) {
        c.length = d.length = e.length = f.length = crypto_scalarmult_BYTES;
        sum_input(&a, crypto_scalarmult_SCALARBYTES);
        sum_run(&base_a);
        sum_input(&b, crypto_scalarmult_SCALARBYTES);
        sum_run(&base_b);
        sum_run(&a_d);
        sum_run(&b_c);
        sum_equal(&e, &f);
    }
}
