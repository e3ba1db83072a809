/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_auth and crypto_onetimeauth, which differ in their names; see checksum.h.
 * Before the #include: AUTH_NAME, AUTH, AUTH_VERIFY, AUTH_BYTES, AUTH_KEYBYTES. */
#include "checksum.h"

#include <string.h>

static struct sum_array message, key, tag;

static int call_authenticate(unsigned char *const *p)
{
    return AUTH(p[0], p[1], message.length, p[2]);
}

static int call_verify(unsigned char *const *p)
{
    return AUTH_VERIFY(p[0], p[1], message.length, p[2]);
}

static const struct sum_function authenticate = {AUTH_NAME, call_authenticate, {&tag}, {&message, &key}, 0, 0},
                                 verify = {AUTH_NAME "_verify", call_verify, {NULL}, {&tag, &message, &key}, 0, 1};

static void forge(void)
{
    unsigned char right[AUTH_BYTES];
    memcpy(right, tag.value, sizeof right);
    for (int i = 0; i < 3; i++) {
        sum_change(&tag);
        if (!sum_try(&verify) && memcmp(tag.value, right, sizeof right))
            harness_fail(FORGERY_ACCEPTED, "accepts a forgery");
    }
}

void sum_test(void)
{
    const size_t longest = sum_longest(128, 4096);
    sum_open(&message, "message", longest);
    sum_open(&key, "key", AUTH_KEYBYTES);
    sum_open(&tag, "authenticator", AUTH_BYTES);
    for (size_t loop = 0; loop < sum_loops(4096, 32768); loop++) {
        sum_input(&message, sum_random() % (longest + 1));
        sum_input(&key, AUTH_KEYBYTES);
        tag.length = AUTH_BYTES;
        sum_run(&authenticate);
        sum_run(&verify);
        forge();
    }
}
