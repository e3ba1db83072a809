/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_sign; see checksum.h. */
#include "crypto_sign.h"

#include "checksum.h"

#ifndef crypto_sign_DETERMINISTIC
#define crypto_sign_DETERMINISTIC 0
#endif

static struct sum_array pk, sk, message, sealed, opened;

static int call_keypair(unsigned char *const *p)
{
    return crypto_sign_keypair(p[0], p[1]);
}

static int call(unsigned char *const *p)
{
    unsigned long long length = sealed.length;
    const int result = crypto_sign(p[0], &length, p[1], message.length, p[2]);
    if (!result && (length < message.length || length > message.length + crypto_sign_BYTES))
        harness_fail(WRONG_OUTPUT, "returns %llu bytes instead of %zu", length, message.length);
    if (!result) sealed.length = (size_t)length;
    return result;
}

static size_t before; /* the length before crypto_sign_open, which may leave it unset */

static int call_open(unsigned char *const *p)
{
    unsigned long long length = before;
    const int result = crypto_sign_open(p[0], &length, p[1], sealed.length, p[2]);
    if (!result && length > sealed.length)
        harness_fail(WRONG_OUTPUT, "opening returns %llu bytes instead of %zu", length, sealed.length);
    if (!result) opened.length = (size_t)length;
    return result;
}

/* clang-format off */
static const struct sum_function
    keypair = {"crypto_sign_keypair", call_keypair, {&pk, &sk}, {NULL}, 1, 1},
    sign = {"crypto_sign", call, {&sealed}, {&message, &sk}, crypto_sign_DETERMINISTIC != 1, 0},
    open = {"crypto_sign_open", call_open, {&opened}, {&sealed, &pk}, 0, 0};
/* clang-format on */

static void one(size_t length)
{
    pk.length = crypto_sign_PUBLICKEYBYTES;
    sk.length = crypto_sign_SECRETKEYBYTES;
    sum_run(&keypair);
    sum_input(&message, length);
    sealed.length = length + crypto_sign_BYTES;
    sum_run(&sign);
    opened.length = before = sealed.length;
    sum_run(&open);
    sum_equal(&opened, &message);
    before = message.length;
    for (int i = 0; i < 3; i++) {
        harness_case("one byte of the signed message changed");
        sum_change(&sealed);
        opened.length = sealed.length;
        if (!sum_try(&open)) sum_equal(&opened, &message);
    }
}

void sum_test(void)
{
    const size_t longest = sum_longest(128, 4096);
    sum_open(&pk, "public key", crypto_sign_PUBLICKEYBYTES);
    sum_open(&sk, "secret key", crypto_sign_SECRETKEYBYTES);
    sum_open(&message, "message", longest);
    sum_open(&sealed, "signed message", longest + crypto_sign_BYTES);
    sum_open(&opened, "opened message", longest + crypto_sign_BYTES);
    for (size_t loop = 0; loop < sum_loops(8, 64); loop++) one(sum_random() % (longest + 1));
}
