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

#define PK crypto_box_PUBLICKEYBYTES
#define SK crypto_box_SECRETKEYBYTES
#include "key_pair.h"
#include "placed_key.h"
#include "timing.h"

#define NONCE crypto_box_NONCEBYTES
#define BEFORE crypto_box_BEFORENMBYTES
#define ZERO crypto_box_ZEROBYTES
#define BOXZERO crypto_box_BOXZEROBYTES

/* Without randombytes no other process computes the same. */
#ifdef crypto_box_OWN_RANDOM
#define OWN_OUTPUT(bytes, length) ((void)0)
#else
#define OWN_OUTPUT(bytes, length) timed_own_output(bytes, length)
#endif

static struct {
    struct keys own, other, drawn;
    uint8_t *nonce, *k, *other_k;
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
    open_keys(&m.own), open_keys(&m.other), open_keys(&m.drawn);
    m.nonce = allocate(NONCE, 256);
    m.k = allocate(BEFORE, 320);
    m.other_k = allocate(BEFORE, 320);
    prng_fill(m.message + ZERO, most - ZERO);
    prng_fill(m.nonce, NONCE);
    random_seed(prng_word());
    if (crypto_box_keypair(m.own.pk, m.own.sk) || crypto_box_keypair(m.other.pk, m.other.sk))
        harness_fail(VALID_REJECTED, "key generation fails");
    if (crypto_box_beforenm(m.k, m.other.pk, m.own.sk))
        harness_fail(VALID_REJECTED, "rejects a public key that it generated");
}

/* A new nonce, and with it a new box. */
static void renew_box(size_t length)
{
    size_t bytes = length;
    prng_fill(m.nonce, NONCE);
    if (input_given(m.c, bytes, &bytes)) return;
    if (crypto_box(m.c, m.message, length, m.nonce, m.other.pk, m.own.sk)) harness_fail(VALID_REJECTED, "boxing fails");
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
    uint8_t there[BEFORE], here[BEFORE];
    timed_verdict(!m.result, "key generation fails");
    OWN_OUTPUT(m.drawn.pk, PK);
    OWN_OUTPUT(m.drawn.sk, SK);
    if (!timing_is_audited()) return;
    timed_verdict(!crypto_box_beforenm(there, m.drawn.pk, m.own.sk) &&
                      !crypto_box_beforenm(here, m.own.pk, m.drawn.sk) && !memcmp(there, here, BEFORE),
                  "draws a key pair that does not work");
}

static void boxed(size_t length)
{
    timed_verdict(!m.result, "boxing fails");
    OWN_OUTPUT(m.c, length);
    if (!timing_is_audited()) return;
    timed_verdict(!crypto_box_open(m.opened, m.c, length, m.nonce, m.own.pk, m.other.sk) &&
                      !memcmp(m.opened + ZERO, m.message + ZERO, length - ZERO),
                  "boxes what cannot be opened");
}

/* Draws the key pair that a timing of beforenm meets. */
static void renew_pair(void)
{
    if (crypto_box_keypair(m.drawn.pk, m.drawn.sk)) harness_fail(VALID_REJECTED, "key generation fails");
}

static void box(struct sample *sample, size_t length, const uint8_t *sk)
{
    const uint8_t *const pk = m.other.pk;
    uint8_t *const nonce = m.nonce;
    TIME_CHECKED(sample, prng_fill(nonce, NONCE), m.result = crypto_box(m.c, m.message, length, nonce, pk, sk),
                 boxed(length));
}

static void time_afternm(struct sample *sample, size_t length, const uint8_t *k)
{
    uint8_t *const nonce = m.nonce;
    TIME_CHECKED(sample, prng_fill(nonce, NONCE), m.result = crypto_box_afternm(m.c, m.message, length, nonce, k),
                 boxed(length));
}

static void time_beforenm(struct sample *sample, const uint8_t *sk)
{
    const uint8_t *const pk = m.drawn.pk;
    uint8_t *const k = m.other_k;
    TIME_CHECKED(sample, renew_pair(), m.result = crypto_box_beforenm(k, pk, sk), OWN_OUTPUT(k, BEFORE));
}

static void time_keypair(struct sample *sample)
{
    uint8_t *const pk = m.drawn.pk, *const sk = m.drawn.sk;
    TIME_CHECKED(sample, (void)0, m.result = crypto_box_keypair(pk, sk), drawn());
}

static void time_open(struct sample *sample, size_t length, int forged, const uint8_t *sk)
{
    const uint8_t *const pk = m.own.pk, *const nonce = m.nonce;
    if (forged) {
        series_with_decoy(sample);
        TIME_CHECKED(sample, change(length), m.result = crypto_box_open(m.opened, m.c, length, nonce, pk, sk),
                     timed_verdict(timing_is_decoy ? !m.result : m.result, "returns a wrong verdict"));
    } else {
        TIME_CHECKED(sample, (renew_box(length), memset(m.opened, 0, length)),
                     m.result = crypto_box_open(m.opened, m.c, length, nonce, pk, sk),
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
    const uint8_t *key = after ? m.k : opens ? m.other.sk : m.own.sk;
    if (strcmp(sample->measure, "keypair")) key = placed_key(sample, key, after ? BEFORE : SK);
    placed(PLACED_INPUT, opens ? m.c : m.message, length);
    placed(PLACED_OUTPUT, opens ? m.opened : m.c, length);
    if (!strcmp(sample->measure, "keypair"))
        time_keypair(sample);
    else if (!strcmp(sample->measure, "beforenm"))
        time_beforenm(sample, key);
    else if (after)
        time_afternm(sample, length, key);
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
