/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* crypto_kem, timed:
 *
 *   keypair       a fresh key pair each time
 *   encapsulate   a fresh session key each time
 *   decapsulate   a fresh ciphertext each time
 *   reject        one with a changed bit, another bit each time */
#include <string.h>

#include "crypto_kem.h"
#include "inputs.h"

static struct {
    uint8_t pk[crypto_kem_PUBLICKEYBYTES], sk[crypto_kem_SECRETKEYBYTES];
    uint8_t drawn_pk[crypto_kem_PUBLICKEYBYTES], drawn_sk[crypto_kem_SECRETKEYBYTES];
    uint8_t c[crypto_kem_CIPHERTEXTBYTES], k[crypto_kem_BYTES], again[crypto_kem_BYTES];
    size_t changed;
    uint8_t with;
    int ready, result;
    unsigned inputs, next;
    struct {
        uint8_t c[crypto_kem_CIPHERTEXTBYTES], k[crypto_kem_BYTES];
    } input[INPUTS_MOST];
} m;

static void setup(void)
{
    m.ready = 1;
    key_pair_take(m.pk, sizeof m.pk, m.sk, sizeof m.sk, crypto_kem_keypair);
}

static void new_ciphertext(void)
{
    m.with = 0;
    if (crypto_kem_enc(m.c, m.k, m.pk)) harness_fail("does not encapsulate");
}

static void make_input(void)
{
    new_ciphertext();
    memcpy(m.input[m.inputs].c, m.c, sizeof m.c);
    memcpy(m.input[m.inputs].k, m.k, sizeof m.k);
}

static void next_input(void)
{
    const unsigned i = m.next++ % m.inputs;
    memcpy(m.c, m.input[i].c, sizeof m.c);
    memcpy(m.k, m.input[i].k, sizeof m.k);
}

static void change(void)
{
    m.c[m.changed] ^= m.with;
    m.changed = (size_t)(bytes_word() % sizeof m.c);
    m.with = (uint8_t)(1u << bytes_word() % 8);
    m.c[m.changed] ^= m.with;
}

static void time_decapsulate(struct sample *sample)
{
    MAKE_INPUTS(m.inputs, sample, make_input());
    TIME_SERIES(sample, next_input(), m.result = crypto_kem_dec(m.again, m.c, m.sk));
    if (m.result || memcmp(m.k, m.again, sizeof m.k)) harness_fail("does not decapsulate");
}

static void time_reject(struct sample *sample)
{
    new_ciphertext();
    TIME_SERIES(sample, change(), m.result = crypto_kem_dec(m.again, m.c, m.sk));
    if (!m.result && !memcmp(m.k, m.again, sizeof m.k)) harness_fail("accepts a forgery");
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    if (!strcmp(sample->measure, "keypair"))
        TIME_SERIES(sample, (void)0, m.result = crypto_kem_keypair(m.drawn_pk, m.drawn_sk));
    else if (!strcmp(sample->measure, "encapsulate"))
        TIME_SERIES(sample, (void)0, m.result = crypto_kem_enc(m.c, m.k, m.pk));
    else if (!strcmp(sample->measure, "decapsulate"))
        time_decapsulate(sample);
    else if (!strcmp(sample->measure, "reject"))
        time_reject(sample);
    else
        return -1;
    return 0;
}
