/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_dh; see checksum.h. */
#include "crypto_dh.h"

#include "checksum.h"

static struct sum_array a, b, c, d, e, f;

static int call_keypair(unsigned char *const *p)
{
    return crypto_dh_keypair(p[0], p[1]);
}

static int call(unsigned char *const *p)
{
    return crypto_dh(p[0], p[1], p[2]);
}

static const struct sum_function first_pair = {"crypto_dh_keypair", call_keypair, {&c, &a}, {NULL}, 1, 1},
                                 second_pair = {"crypto_dh_keypair", call_keypair, {&d, &b}, {NULL}, 1, 1},
                                 d_a = {"crypto_dh", call, {&e}, {&d, &a}, 0, 0},
                                 c_b = {"crypto_dh", call, {&f}, {&c, &b}, 0, 0};

void sum_test(void)
{
    sum_open(&a, "first secret key", crypto_dh_SECRETKEYBYTES);
    sum_open(&b, "second secret key", crypto_dh_SECRETKEYBYTES);
    sum_open(&c, "first public key", crypto_dh_PUBLICKEYBYTES);
    sum_open(&d, "second public key", crypto_dh_PUBLICKEYBYTES);
    sum_open(&e, "one shared secret", crypto_dh_BYTES);
    sum_open(&f, "the other shared secret", crypto_dh_BYTES);
    for (size_t loop = 0; loop < sum_loops(64, 512); loop++) {
        a.length = b.length = crypto_dh_SECRETKEYBYTES;
        c.length = d.length = crypto_dh_PUBLICKEYBYTES;
        e.length = f.length = crypto_dh_BYTES;
        sum_run(&first_pair);
        sum_run(&second_pair);
        sum_run(&d_a);
        sum_run(&c_b);
        sum_equal(&e, &f);
    }
}
