/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* crypto_dh, timed:
 *
 *   keypair   a fresh key pair each time
 *   shared    the secret of two key pairs, others in each series */
#include <string.h>

#include "crypto_dh.h"
#include "timing.h"

static struct {
    uint8_t pk[crypto_dh_PUBLICKEYBYTES], sk[crypto_dh_SECRETKEYBYTES], other_sk[crypto_dh_SECRETKEYBYTES];
    uint8_t drawn_pk[crypto_dh_PUBLICKEYBYTES], drawn_sk[crypto_dh_SECRETKEYBYTES], s[crypto_dh_BYTES];
    int ready, result;
} m;

static void time_shared(struct sample *sample)
{
    if (crypto_dh_keypair(m.drawn_pk, m.sk) || crypto_dh_keypair(m.pk, m.other_sk))
        harness_fail("draws no key pair");
    TIME_SERIES(sample, (void)0, m.result = crypto_dh(m.s, m.pk, m.sk));
    if (m.result) harness_fail("refuses a public key that it has made");
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) random_seed(bytes_word()), m.ready = 1;
    if (!strcmp(sample->measure, "keypair"))
        TIME_SERIES(sample, (void)0, m.result = crypto_dh_keypair(m.drawn_pk, m.drawn_sk));
    else if (!strcmp(sample->measure, "shared"))
        time_shared(sample);
    else
        return -1;
    return 0;
}
