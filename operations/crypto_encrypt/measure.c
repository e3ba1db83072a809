/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_encrypt:
 *
 *   keypair   a new key pair each time
 *   encrypt   a message of `length` bytes, a different one each time
 *   open      a ciphertext of a message of `length` bytes, a different one each time
 *   reject    the same with one bit changed, a different one each time (and opened
 *             to another message if the system does not reject it) */
#include <string.h>

#include "crypto_encrypt.h"
#include "inputs.h"

static struct {
    uint8_t pk[crypto_encrypt_PUBLICKEYBYTES], sk[crypto_encrypt_SECRETKEYBYTES];
    uint8_t drawn_pk[crypto_encrypt_PUBLICKEYBYTES], drawn_sk[crypto_encrypt_SECRETKEYBYTES];
    uint8_t *message, *c, *opened;
    unsigned long long clen, mlen;
    size_t changed;
    uint8_t with;
    int ready, result;
    struct inputs inputs;
} m;

static void setup(void)
{
    const size_t most = (size_t)max_length();
    m.ready = 1;
    m.message = allocate(most, 64);
    m.c = allocate(most + crypto_encrypt_BYTES, 64);
    m.opened = allocate(most + crypto_encrypt_BYTES, 64);
    inputs_open(&m.inputs, most + crypto_encrypt_BYTES);
    prng_fill(m.message, most);
    keypair_to_measure(m.pk, sizeof m.pk, m.sk, sizeof m.sk, crypto_encrypt_keypair);
}

static void next_message(const struct sample *sample)
{
    const uint64_t word = prng_word();
    memcpy(m.message + sample->alignment, &word, sample->length < 8 ? (size_t)sample->length : 8);
}

static void encrypt_once(const struct sample *sample)
{
    m.with = 0;
    next_message(sample);
    if (crypto_encrypt(m.c, &m.clen, m.message + sample->alignment, sample->length, m.pk))
        harness_fail(VALID_REJECTED, "encryption fails");
}

static void make_input(const struct sample *sample)
{
    encrypt_once(sample);
    inputs_keep(&m.inputs, m.c, m.clen);
}

static void change(void)
{
    m.c[m.changed] ^= m.with;
    m.changed = (size_t)(prng_word() % m.clen);
    m.with = (uint8_t)(1u << prng_word() % 8);
    m.c[m.changed] ^= m.with;
}

static void time_encrypt(struct sample *sample)
{
    TIME_SERIES(sample, next_message(sample),
                m.result = crypto_encrypt(m.c, &m.clen, m.message + sample->alignment, sample->length, m.pk));
    if (m.result) harness_fail(VALID_REJECTED, "encryption fails");
}

static void time_open(struct sample *sample)
{
    MAKE_INPUTS(&m.inputs, sample, make_input(sample));
    TIME_SERIES(sample, m.clen = inputs_next(&m.inputs, m.c),
                m.result = crypto_encrypt_open(m.opened, &m.mlen, m.c, m.clen, m.sk));
    if (m.result) harness_fail(VALID_REJECTED, "rejects its own ciphertext");
}

static void time_reject(struct sample *sample)
{
    encrypt_once(sample);
    TIME_SERIES(sample, change(), m.result = crypto_encrypt_open(m.opened, &m.mlen, m.c, m.clen, m.sk));
    if (!m.result && crypto_encrypt_CHOSENCIPHERTEXT) harness_fail(FORGERY_ACCEPTED, "accepts a forgery");
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    if (!strcmp(sample->measure, "keypair"))
        TIME_SERIES(sample, (void)0, m.result = crypto_encrypt_keypair(m.drawn_pk, m.drawn_sk));
    else if (!strcmp(sample->measure, "encrypt"))
        time_encrypt(sample);
    else if (!strcmp(sample->measure, "open"))
        time_open(sample);
    else if (!strcmp(sample->measure, "reject"))
        time_reject(sample);
    else
        return -1;
    return 0;
}
