/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_dh:
 *
 *   keypair   a new key pair each time
 *   shared    the secret shared with a different key pair each time */
#include <string.h>

#include "crypto_dh.h"
#include "inputs.h"

static struct {
    uint8_t pk[crypto_dh_PUBLICKEYBYTES], sk[crypto_dh_SECRETKEYBYTES], other_sk[crypto_dh_SECRETKEYBYTES];
    uint8_t drawn_pk[crypto_dh_PUBLICKEYBYTES], drawn_sk[crypto_dh_SECRETKEYBYTES], s[crypto_dh_BYTES];
    int ready, result;
    struct inputs inputs;
} m;

static void setup(void)
{
    m.ready = 1;
    random_seed(prng_word());
    inputs_open(&m.inputs, sizeof m.pk);
}

static void make_input(void)
{
    if (crypto_dh_keypair(m.pk, m.other_sk)) harness_fail(VALID_REJECTED, "key generation fails");
    inputs_keep(&m.inputs, m.pk, sizeof m.pk);
}

static void time_shared(struct sample *sample)
{
    if (crypto_dh_keypair(m.drawn_pk, m.sk)) harness_fail(VALID_REJECTED, "key generation fails");
    MAKE_INPUTS(&m.inputs, sample, make_input());
    TIME_SERIES(sample, (void)inputs_next(&m.inputs, m.pk), m.result = crypto_dh(m.s, m.pk, m.sk));
    if (m.result) harness_fail(VALID_REJECTED, "rejects a public key that it generated");
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    if (!strcmp(sample->measure, "keypair"))
        TIME_SERIES(sample, (void)0, m.result = crypto_dh_keypair(m.drawn_pk, m.drawn_sk));
    else if (!strcmp(sample->measure, "shared"))
        time_shared(sample);
    else
        return -1;
    return 0;
}
