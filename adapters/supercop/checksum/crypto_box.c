/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_box; see checksum.h. */
#include "crypto_box.h"

#include "checksum.h"

#include <string.h>

static struct sum_array message, nonce, y, a, z, b, box, opened, e, f, again;

static int call_keypair(unsigned char *const *p)
{
    return crypto_box_keypair(p[0], p[1]);
}

static int call(unsigned char *const *p)
{
    return crypto_box(p[0], p[1], message.length, p[2], p[3], p[4]);
}

static int call_open(unsigned char *const *p)
{
    return crypto_box_open(p[0], p[1], message.length, p[2], p[3], p[4]);
}

static int call_before(unsigned char *const *p)
{
    return crypto_box_beforenm(p[0], p[1], p[2]);
}

static int call_after(unsigned char *const *p)
{
    return crypto_box_afternm(p[0], p[1], message.length, p[2], p[3]);
}

static int call_open_after(unsigned char *const *p)
{
    return crypto_box_open_afternm(p[0], p[1], message.length, p[2], p[3]);
}

/* clang-format off */
static const struct sum_function
    first_pair = {"crypto_box_keypair", call_keypair, {&y, &a}, {NULL}, 1, 1},
    second_pair = {"crypto_box_keypair", call_keypair, {&z, &b}, {NULL}, 1, 1},
    seal = {"crypto_box", call, {&box}, {&message, &nonce, &z, &a}, 0, 0},
    open = {"crypto_box_open", call_open, {&opened}, {&box, &nonce, &y, &b}, 0, 0},
    before = {"crypto_box_beforenm", call_before, {&e}, {&z, &a}, 0, 0},
    before_open = {"crypto_box_beforenm", call_before, {&f}, {&y, &b}, 0, 0},
    seal_after = {"crypto_box_afternm", call_after, {&again}, {&message, &nonce, &e}, 0, 0},
    open_after = {"crypto_box_open_afternm", call_open_after, {&opened}, {&again, &nonce, &f}, 0, 0};
/* clang-format on */

static void one(size_t length)
{
    y.length = z.length = crypto_box_PUBLICKEYBYTES;
    a.length = b.length = crypto_box_SECRETKEYBYTES;
    e.length = f.length = crypto_box_BEFORENMBYTES;
    box.length = again.length = opened.length = length;
    sum_run(&first_pair);
    sum_run(&second_pair);
    sum_input(&message, length);
    sum_input(&nonce, crypto_box_NONCEBYTES);
    memset(message.value, 0, crypto_box_ZEROBYTES);
    sum_run(&seal);
    sum_run(&open);
    sum_equal(&opened, &message);
    sum_run(&before);
    sum_run(&before_open);
    sum_run(&seal_after);
    sum_equal(&again, &box);
    sum_run(&open_after);
    sum_equal(&opened, &message);
}

void sum_test(void)
{
    const size_t longest = sum_longest(128, 4096);
    sum_open(&message, "message", longest);
    sum_open(&nonce, "nonce", crypto_box_NONCEBYTES);
    sum_open(&y, "first public key", crypto_box_PUBLICKEYBYTES);
    sum_open(&z, "second public key", crypto_box_PUBLICKEYBYTES);
    sum_open(&a, "first secret key", crypto_box_SECRETKEYBYTES);
    sum_open(&b, "second secret key", crypto_box_SECRETKEYBYTES);
    sum_open(&e, "one shared key", crypto_box_BEFORENMBYTES);
    sum_open(&f, "the other shared key", crypto_box_BEFORENMBYTES);
    sum_open(&box, "box", longest);
    sum_open(&again, "box in two steps", longest);
    sum_open(&opened, "opened message", longest);
    for (size_t loop = 0; loop < sum_loops(512, 4096); loop++) {
        const size_t length = sum_random() % (longest + 1);
        if (length >= crypto_box_ZEROBYTES) one(length);
    }
}
