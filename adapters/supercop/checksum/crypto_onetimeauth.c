/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_onetimeauth; see checksum.h. */
#include "crypto_onetimeauth.h"

#include "checksum.h"

#include <string.h>

static struct sum_array message, key, tag;

static int call(unsigned char *const *p)
{
    return crypto_onetimeauth(p[0], p[1], message.length, p[2]);
}

static int call_verify(unsigned char *const *p)
{
    return crypto_onetimeauth_verify(p[0], p[1], message.length, p[2]);
}

static const struct sum_function
    authenticate = {"crypto_onetimeauth", call, {&tag}, {&message, &key}, 0, 0},
    verify = {"crypto_onetimeauth_verify", call_verify, {NULL}, {&tag, &message, &key}, 0, 1};

static void forge(void)
{
    unsigned char right[crypto_onetimeauth_BYTES];
    memcpy(right, tag.value, sizeof right);
    for (int i = 0; i < 3; i++) {
        sum_change(&tag);
        if (!sum_try(&verify) && memcmp(tag.value, right, sizeof right)) harness_fail("accepts a forgery");
    }
}

void sum_test(void)
{
    const size_t longest = sum_longest(128, 4096);
    sum_open(&message, "message", longest);
    sum_open(&key, "key", crypto_onetimeauth_KEYBYTES);
    sum_open(&tag, "authenticator", crypto_onetimeauth_BYTES);
    for (size_t loop = 0; loop < sum_loops(4096, 32768); loop++) {
        sum_input(&message, sum_random() % (longest + 1));
        sum_input(&key, crypto_onetimeauth_KEYBYTES);
        tag.length = crypto_onetimeauth_BYTES;
        sum_run(&authenticate);
        sum_run(&verify);
        forge();
    }
}
