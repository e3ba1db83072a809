/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_box, for messages of `length` bytes, without zero bytes:
 *
 *   keypair    a new key pair each time
 *   beforenm   the part that depends only on the keys
 *   box        boxing from the keys
 *   afternm    boxing, after beforenm
 *   open       opening from the keys
 *   reject     the same with one bit changed, a different one each time */
#include <string.h>

#include "crypto_box.h"
#include "timing.h"

#define ZERO ((size_t)crypto_box_ZEROBYTES)
#define BOXZERO ((size_t)crypto_box_BOXZEROBYTES)

static struct {
    uint8_t pk[crypto_box_PUBLICKEYBYTES], sk[crypto_box_SECRETKEYBYTES];
    uint8_t other_pk[crypto_box_PUBLICKEYBYTES], other_sk[crypto_box_SECRETKEYBYTES];
    uint8_t drawn_pk[crypto_box_PUBLICKEYBYTES], drawn_sk[crypto_box_SECRETKEYBYTES];
    uint8_t nonce[crypto_box_NONCEBYTES], k[crypto_box_BEFORENMBYTES];
    uint8_t *message, *c, *opened;
    size_t changed;
    uint8_t with;
    int ready, result;
} m;

static void setup(void)
{
    const size_t most = ZERO + (size_t)max_length();
    m.ready = 1;
    m.message = allocate(most, 0);
    m.c = allocate(most, 0);
    m.opened = allocate(most, 0);
    prng_fill(m.message + ZERO, most - ZERO);
    prng_fill(m.nonce, sizeof m.nonce);
    random_seed(prng_word());
    if (crypto_box_keypair(m.pk, m.sk) || crypto_box_keypair(m.other_pk, m.other_sk))
        harness_fail(VALID_REJECTED, "key generation fails");
    if (crypto_box_beforenm(m.k, m.other_pk, m.sk))
        harness_fail(VALID_REJECTED, "rejects a public key that it generated");
}

static void change(size_t length)
{
    m.c[m.changed] ^= m.with;
    m.changed = BOXZERO + (size_t)(prng_word() % (length - BOXZERO));
    m.with = (uint8_t)(1u << prng_word() % 8);
    m.c[m.changed] ^= m.with;
}

static void box(struct sample *sample, size_t length)
{
    TIME_SERIES(sample, (void)0, m.result = crypto_box(m.c, m.message, length, m.nonce, m.other_pk, m.sk));
    if (m.result) harness_fail(VALID_REJECTED, "boxing fails");
}

static void time_open(struct sample *sample, size_t length, int forged)
{
    m.with = 0;
    if (crypto_box(m.c, m.message, length, m.nonce, m.other_pk, m.sk)) harness_fail(VALID_REJECTED, "boxing fails");
    if (forged)
        TIME_SERIES(sample, change(length),
                    m.result = crypto_box_open(m.opened, m.c, length, m.nonce, m.pk, m.other_sk));
    else
        TIME_SERIES(sample, (void)0, m.result = crypto_box_open(m.opened, m.c, length, m.nonce, m.pk, m.other_sk));
    if (forged && !m.result) harness_fail(FORGERY_ACCEPTED, "accepts a forgery");
    if (!forged && m.result) harness_fail(VALID_REJECTED, "rejects its own box");
}

int operation_measure(struct sample *sample)
{
    const size_t length = ZERO + (size_t)sample->length;
    if (!m.ready) setup();
    if (!strcmp(sample->measure, "keypair"))
        TIME_SERIES(sample, (void)0, m.result = crypto_box_keypair(m.drawn_pk, m.drawn_sk));
    else if (!strcmp(sample->measure, "beforenm"))
        TIME_SERIES(sample, (void)0, m.result = crypto_box_beforenm(m.k, m.other_pk, m.sk));
    else if (!strcmp(sample->measure, "afternm"))
        TIME_SERIES(sample, (void)0, m.result = crypto_box_afternm(m.c, m.message, length, m.nonce, m.k));
    else if (!strcmp(sample->measure, "box"))
        box(sample, length);
    else if (!strcmp(sample->measure, "open"))
        time_open(sample, length, 0);
    else if (!strcmp(sample->measure, "reject"))
        time_open(sample, length, 1);
    else
        return -1;
    return 0;
}
