/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_secretbox; see checksum.h. */
#include "crypto_secretbox.h"

#include "checksum.h"

#include <string.h>

static struct sum_array message, nonce, key, box, opened;

static int call(unsigned char *const *p)
{
    return crypto_secretbox(p[0], p[1], message.length, p[2], p[3]);
}

static int call_open(unsigned char *const *p)
{
    return crypto_secretbox_open(p[0], p[1], box.length, p[2], p[3]);
}

static const struct sum_function seal = {"crypto_secretbox", call, {&box}, {&message, &nonce, &key}, 0, 0},
                                 open = {"crypto_secretbox_open", call_open, {&opened}, {&box, &nonce, &key}, 0, 0};

static void one(size_t length)
{
    sum_input(&message, length);
    sum_input(&nonce, crypto_secretbox_NONCEBYTES);
    sum_input(&key, crypto_secretbox_KEYBYTES);
    memset(message.value, 0, crypto_secretbox_ZEROBYTES);
    box.length = opened.length = length;
    sum_run(&seal);
    for (size_t i = 0; i < crypto_secretbox_BOXZEROBYTES; i++)
        if (box.value[i]) harness_fail(WRONG_OUTPUT, "byte %zu of the box is not zero", i);
    sum_run(&open);
    sum_equal(&opened, &message);
}

void sum_test(void)
{
    const size_t longest = sum_longest(128, 4096);
    sum_open(&message, "message", longest);
    sum_open(&nonce, "nonce", crypto_secretbox_NONCEBYTES);
    sum_open(&key, "key", crypto_secretbox_KEYBYTES);
    sum_open(&box, "box", longest);
    sum_open(&opened, "opened message", longest);
    for (size_t loop = 0; loop < sum_loops(4096, 32768); loop++) {
        const size_t length = sum_random() % (longest + 1);
        if (length >= crypto_secretbox_ZEROBYTES) one(length);
    }
}
