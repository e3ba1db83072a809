/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_sign:
 *
 *   keypair          a new key pair each time
 *   sign             a message of `length` bytes, a different one each time
 *   open             a signed message of `length` bytes of message, a different one each time
 *   reject           the same with one bit changed, a different one each time
 *
 * and, if the implementation offers them,
 *
 *   open_batch       `keys` signed messages under different keys at once
 *   expand_public, expand_secret
 *   open_expanded, sign_expanded   with keys expanded beforehand */
#include "inputs.h"
#include "keys.h"

static struct {
    struct keys keys, fresh;
    uint8_t *message, *sm, *opened;
    unsigned long long smlen, mlen;
    size_t changed; /* the byte of sm that `reject` has changed */
    uint8_t with;
    int ready, result;
    struct inputs inputs;
} m;

static void setup(void)
{
    const size_t most = (size_t)max_length();
    m.ready = 1;
    m.message = allocate(most, 64);
    m.sm = allocate(most + OVERHEAD, 64);
    m.opened = allocate(most + OVERHEAD, 64);
    inputs_open(&m.inputs, most + OVERHEAD);
    prng_fill(m.message, most);
#ifdef STATEFUL_KEY
    keypair_generate(m.keys.pk, m.keys.sk, crypto_sign_keypair);
#else
    keypair_to_measure(m.keys.pk, PK, m.keys.sk, SK, crypto_sign_keypair);
#endif
    m.fresh = m.keys;
}

/* Makes a new message; a stateful key starts again. */
static void next_message(const struct sample *sample)
{
    const uint64_t word = prng_word();
    memcpy(m.message + sample->alignment, &word, sample->length < 8 ? (size_t)sample->length : 8);
#ifdef crypto_sign_STATEFUL
    memcpy(m.keys.sk, m.fresh.sk, SK);
#endif
}

static void sign_once(const struct sample *sample)
{
    next_message(sample);
    if (sign_with(m.sm, &m.smlen, m.message + sample->alignment, sample->length, m.keys.sk))
        harness_fail(VALID_REJECTED, "signing fails");
}

static void make_input(const struct sample *sample)
{
    sign_once(sample);
    inputs_keep(&m.inputs, m.sm, m.smlen);
}

static void change(void)
{
    m.sm[m.changed] ^= m.with;
    m.changed = (size_t)(prng_word() % m.smlen);
    m.with = (uint8_t)(1u << prng_word() % 8);
    m.sm[m.changed] ^= m.with;
}

#include "measure_more.h"

static void time_sign(struct sample *sample)
{
    TIME_SERIES(sample, next_message(sample),
                m.result = sign_with(m.sm, &m.smlen, m.message + sample->alignment, sample->length, m.keys.sk));
    if (m.result) harness_fail(VALID_REJECTED, "signing fails");
}

static void time_open(struct sample *sample)
{
    MAKE_INPUTS(&m.inputs, sample, make_input(sample));
    TIME_SERIES(sample, m.smlen = inputs_next(&m.inputs, m.sm),
                m.result = crypto_sign_open(m.opened, &m.mlen, m.sm, m.smlen, m.keys.pk));
    if (m.result) harness_fail(VALID_REJECTED, "rejects its own signed message");
}

static void time_reject(struct sample *sample)
{
    sign_once(sample);
    m.with = 0;
    TIME_SERIES(sample, change(), m.result = crypto_sign_open(m.opened, &m.mlen, m.sm, m.smlen, m.keys.pk));
    if (!m.result) harness_fail(FORGERY_ACCEPTED, "accepts a forgery");
}

static void time_keypair(struct sample *sample)
{
    static struct keys drawn;
    TIME_SERIES(sample, (void)0, m.result = crypto_sign_keypair(drawn.pk, drawn.sk));
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    if (!strcmp(sample->measure, "keypair"))
        time_keypair(sample);
    else if (!strcmp(sample->measure, "sign"))
        time_sign(sample);
    else if (!strcmp(sample->measure, "open"))
        time_open(sample);
    else if (!strcmp(sample->measure, "reject"))
        time_reject(sample);
    else
        return measure_more(sample);
    return 0;
}
