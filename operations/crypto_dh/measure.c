/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_dh:
 *
 *   keypair   a new key pair each time
 *   shared    the secret shared with a different key pair each time */
#include <string.h>

#include "crypto_dh.h"
#include "inputs.h"
#include "placed_key.h"

/* Without randombytes no other process computes the same. */
#ifdef crypto_dh_OWN_RANDOM
#define OWN_OUTPUT(bytes, length) ((void)0)
#else
#define OWN_OUTPUT(bytes, length) timed_own_output(bytes, length)
#endif

static struct {
    struct {
        uint8_t pk[crypto_dh_PUBLICKEYBYTES], sk[crypto_dh_SECRETKEYBYTES];
    } other;
    uint8_t sk[crypto_dh_SECRETKEYBYTES];
    uint8_t drawn_pk[crypto_dh_PUBLICKEYBYTES], drawn_sk[crypto_dh_SECRETKEYBYTES], s[crypto_dh_BYTES];
    int ready, result;
    struct inputs inputs;
} m;

static void setup(void)
{
    m.ready = 1;
    random_seed(prng_word());
    inputs_open(&m.inputs, sizeof m.other);
}

static void make_input(void)
{
    size_t bytes = sizeof m.other;
    if (!input_given(&m.other, bytes, &bytes)) {
        if (crypto_dh_keypair(m.other.pk, m.other.sk)) harness_fail(VALID_REJECTED, "key generation fails");
        input_made(&m.other, bytes);
    }
    inputs_keep(&m.inputs, &m.other, sizeof m.other);
}

/* Both sides of a new key pair must agree. */
static void drawn(void)
{
    uint8_t there[crypto_dh_BYTES], here[crypto_dh_BYTES];
    timed_verdict(!m.result, "key generation fails");
    OWN_OUTPUT(m.drawn_pk, sizeof m.drawn_pk);
    OWN_OUTPUT(m.drawn_sk, sizeof m.drawn_sk);
    if (!timing_is_audited()) return;
    timed_verdict(!crypto_dh_keypair(m.other.pk, m.other.sk) && !crypto_dh(there, m.drawn_pk, m.other.sk) &&
                      !crypto_dh(here, m.other.pk, m.drawn_sk) && !memcmp(there, here, sizeof there),
                  "draws a key pair that does not work");
}

static void shared(void)
{
    uint8_t there[crypto_dh_BYTES];
    timed_verdict(!m.result, "rejects a public key that it generated");
    OWN_OUTPUT(m.s, sizeof m.s);
    if (!timing_is_audited()) return;
    timed_verdict(!crypto_dh(there, m.drawn_pk, m.other.sk) && !memcmp(there, m.s, sizeof there),
                  "computes another secret than the other side");
}

static void time_shared(struct sample *sample)
{
    placed(PLACED_INPUT, m.other.pk, sizeof m.other.pk);
    placed(PLACED_OUTPUT, m.s, sizeof m.s);
    if (crypto_dh_keypair(m.drawn_pk, m.sk)) harness_fail(VALID_REJECTED, "key generation fails");
    const uint8_t *sk = placed_key(sample, m.sk, sizeof m.sk);
    MAKE_INPUTS(&m.inputs, sample, make_input());
    TIME_CHECKED(sample, (void)inputs_next(&m.inputs, &m.other), m.result = crypto_dh(m.s, m.other.pk, sk), shared());
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    placed(PLACED_OUTPUT, m.drawn_pk, sizeof m.drawn_pk + sizeof m.drawn_sk);
    if (!strcmp(sample->measure, "keypair"))
        TIME_CHECKED(sample, (void)0, m.result = crypto_dh_keypair(m.drawn_pk, m.drawn_sk), drawn());
    else if (!strcmp(sample->measure, "shared"))
        time_shared(sample);
    else
        return -1;
    return 0;
}
