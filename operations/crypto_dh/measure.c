/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_dh:
 *
 *   keypair   a new key pair each time
 *   shared    the secret shared with a different key pair each time */
#include <string.h>

#include "crypto_dh.h"

#define PK crypto_dh_PUBLICKEYBYTES
#define SK crypto_dh_SECRETKEYBYTES
#include "inputs.h"
#include "key_pair.h"
#include "placed_key.h"

#define SHARED crypto_dh_BYTES

/* Without randombytes no other process computes the same. */
#ifdef crypto_dh_OWN_RANDOM
#define OWN_OUTPUT(bytes, length) ((void)0)
#else
#define OWN_OUTPUT(bytes, length) timed_own_output(bytes, length)
#endif

static struct {
    struct keys own, other, drawn;
    uint8_t *s;
    int ready, result;
    struct inputs inputs;
} m;

static void setup(void)
{
    m.ready = 1;
    open_keys(&m.own), open_keys(&m.other), open_keys(&m.drawn);
    m.s = allocate(SHARED, 64);
    random_seed(prng_word());
    inputs_open(&m.inputs, PK + SK);
}

static void make_input(void)
{
    size_t bytes = PK + SK;
    if (!input_given(m.other.pk, bytes, &bytes)) {
        if (crypto_dh_keypair(m.other.pk, m.other.sk)) harness_fail(VALID_REJECTED, "key generation fails");
        input_made(m.other.pk, bytes);
    }
    inputs_keep(&m.inputs, m.other.pk, PK + SK);
}

/* Both sides of a new key pair must agree. */
static void drawn(void)
{
    uint8_t there[SHARED], here[SHARED];
    timed_verdict(!m.result, "key generation fails");
    OWN_OUTPUT(m.drawn.pk, PK);
    OWN_OUTPUT(m.drawn.sk, SK);
    if (!timing_is_audited()) return;
    timed_verdict(!crypto_dh_keypair(m.other.pk, m.other.sk) && !crypto_dh(there, m.drawn.pk, m.other.sk) &&
                      !crypto_dh(here, m.other.pk, m.drawn.sk) && !memcmp(there, here, SHARED),
                  "draws a key pair that does not work");
}

static void shared(void)
{
    uint8_t there[SHARED];
    timed_verdict(!m.result, "rejects a public key that it generated");
    OWN_OUTPUT(m.s, SHARED);
    if (!timing_is_audited()) return;
    timed_verdict(!crypto_dh(there, m.own.pk, m.other.sk) && !memcmp(there, m.s, SHARED),
                  "computes another secret than the other side");
}

static void time_shared(struct sample *sample)
{
    uint8_t *const pk = m.other.pk, *const s = m.s;
    placed(PLACED_INPUT, pk, PK);
    placed(PLACED_OUTPUT, s, SHARED);
    if (crypto_dh_keypair(m.own.pk, m.own.sk)) harness_fail(VALID_REJECTED, "key generation fails");
    const uint8_t *sk = placed_key(sample, m.own.sk, SK);
    MAKE_INPUTS(&m.inputs, sample, make_input());
    TIME_CHECKED(sample, (void)inputs_next(&m.inputs, pk), m.result = crypto_dh(s, pk, sk), shared());
}

static void time_keypair(struct sample *sample)
{
    uint8_t *const pk = m.drawn.pk, *const sk = m.drawn.sk;
    placed(PLACED_OUTPUT, pk, PK + SK);
    TIME_CHECKED(sample, (void)0, m.result = crypto_dh_keypair(pk, sk), drawn());
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    if (!strcmp(sample->measure, "keypair"))
        time_keypair(sample);
    else if (!strcmp(sample->measure, "shared"))
        time_shared(sample);
    else
        return -1;
    return 0;
}
