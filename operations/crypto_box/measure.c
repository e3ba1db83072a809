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
#include "placed_key.h"
#include "timing.h"

#define ZERO ((size_t)crypto_box_ZEROBYTES)
#define BOXZERO ((size_t)crypto_box_BOXZEROBYTES)

/* Without randombytes no other process computes the same. */
#ifdef crypto_box_OWN_RANDOM
#define OWN_OUTPUT(bytes, length) ((void)0)
#else
#define OWN_OUTPUT(bytes, length) timed_own_output(bytes, length)
#endif

static struct {
    uint8_t pk[crypto_box_PUBLICKEYBYTES], sk[crypto_box_SECRETKEYBYTES];
    uint8_t other_pk[crypto_box_PUBLICKEYBYTES], other_sk[crypto_box_SECRETKEYBYTES];
    uint8_t drawn_pk[crypto_box_PUBLICKEYBYTES], drawn_sk[crypto_box_SECRETKEYBYTES];
    uint8_t nonce[crypto_box_NONCEBYTES], k[crypto_box_BEFORENMBYTES], other_k[crypto_box_BEFORENMBYTES];
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

/* A new nonce, and with it a new box. */
static void renew_box(size_t length)
{
    size_t bytes = length;
    prng_fill(m.nonce, sizeof m.nonce);
    if (input_given(m.c, bytes, &bytes)) return;
    if (crypto_box(m.c, m.message, length, m.nonce, m.other_pk, m.sk)) harness_fail(VALID_REJECTED, "boxing fails");
    input_made(m.c, bytes);
}

static void change(size_t length)
{
    renew_box(length);
    if (timing_is_decoy) return;
    m.changed = BOXZERO + (size_t)(prng_word() % (length - BOXZERO));
    m.with = (uint8_t)(1u << prng_word() % 8);
    m.c[m.changed] ^= m.with;
}

/* Both sides of a new key pair must agree, and with the process that repeats it. */
static void drawn(void)
{
    uint8_t there[crypto_box_BEFORENMBYTES], here[crypto_box_BEFORENMBYTES];
    timed_verdict(!m.result, "key generation fails");
    OWN_OUTPUT(m.drawn_pk, sizeof m.drawn_pk);
    OWN_OUTPUT(m.drawn_sk, sizeof m.drawn_sk);
    if (!timing_is_audited()) return;
    timed_verdict(!crypto_box_beforenm(there, m.drawn_pk, m.sk) && !crypto_box_beforenm(here, m.pk, m.drawn_sk) &&
                      !memcmp(there, here, sizeof there),
                  "draws a key pair that does not work");
}

static void boxed(size_t length)
{
    timed_verdict(!m.result, "boxing fails");
    OWN_OUTPUT(m.c, length);
    if (!timing_is_audited()) return;
    timed_verdict(!crypto_box_open(m.opened, m.c, length, m.nonce, m.pk, m.other_sk) &&
                      !memcmp(m.opened + ZERO, m.message + ZERO, length - ZERO),
                  "boxes what cannot be opened");
}

/* Draws the key pair that a timing of beforenm meets. */
static void renew_pair(void)
{
    if (crypto_box_keypair(m.drawn_pk, m.drawn_sk)) harness_fail(VALID_REJECTED, "key generation fails");
}

static void box(struct sample *sample, size_t length, const uint8_t *sk)
{
    TIME_CHECKED(sample, prng_fill(m.nonce, sizeof m.nonce),
                 m.result = crypto_box(m.c, m.message, length, m.nonce, m.other_pk, sk), boxed(length));
}

static void time_open(struct sample *sample, size_t length, int forged, const uint8_t *sk)
{
    if (forged) {
        series_with_decoy(sample);
        TIME_CHECKED(sample, change(length), m.result = crypto_box_open(m.opened, m.c, length, m.nonce, m.pk, sk),
                     timed_verdict(timing_is_decoy ? !m.result : m.result, "returns a wrong verdict"));
    } else {
        TIME_CHECKED(sample, (renew_box(length), memset(m.opened, 0, length)),
                     m.result = crypto_box_open(m.opened, m.c, length, m.nonce, m.pk, sk),
                     (timed_verdict(!m.result && !memcmp(m.opened + ZERO, m.message + ZERO, length - ZERO),
                                    "does not open its own box"),
                      timed_output(m.opened + ZERO, length - ZERO)));
    }
}

int operation_measure(struct sample *sample)
{
    const size_t length = ZERO + (size_t)sample->length;
    const int opens = !strcmp(sample->measure, "open") || !strcmp(sample->measure, "reject");
    if (!m.ready) setup();
    const int after = !strcmp(sample->measure, "afternm");
    const uint8_t *key = after ? m.k : opens ? m.other_sk : m.sk;
    if (strcmp(sample->measure, "keypair")) key = placed_key(sample, key, after ? sizeof m.k : sizeof m.sk);
    placed(PLACED_INPUT, opens ? m.c : m.message, length);
    placed(PLACED_OUTPUT, opens ? m.opened : m.c, length);
    if (!strcmp(sample->measure, "keypair"))
        TIME_CHECKED(sample, (void)0, m.result = crypto_box_keypair(m.drawn_pk, m.drawn_sk), drawn());
    else if (!strcmp(sample->measure, "beforenm"))
        TIME_CHECKED(sample, renew_pair(), m.result = crypto_box_beforenm(m.other_k, m.drawn_pk, key),
                     OWN_OUTPUT(m.other_k, sizeof m.other_k));
    else if (after)
        TIME_CHECKED(sample, prng_fill(m.nonce, sizeof m.nonce),
                     m.result = crypto_box_afternm(m.c, m.message, length, m.nonce, key), boxed(length));
    else if (!strcmp(sample->measure, "box"))
        box(sample, length, key);
    else if (!strcmp(sample->measure, "open"))
        time_open(sample, length, 0, key);
    else if (!strcmp(sample->measure, "reject"))
        time_open(sample, length, 1, key);
    else
        return -1;
    return 0;
}
