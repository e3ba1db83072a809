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
#include "placed_key.h"

/* Without randombytes no other process computes the same: then a new key pair is tried. */
#ifdef crypto_sign_OWN_RANDOM
#define REPRODUCIBLE 0
#define OWN_OUTPUT(bytes, length) ((void)0)
#else
#define REPRODUCIBLE 1
#define OWN_OUTPUT(bytes, length) timed_own_output(bytes, length)
#endif

static struct {
    struct keys keys, fresh, drawn;
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
    open_keys(&m.keys), open_keys(&m.drawn);
#ifdef STATEFUL_KEY
    keypair_generate(m.keys.pk, m.keys.sk, crypto_sign_keypair);
#else
    keypair_to_measure(m.keys.pk, PK, m.keys.sk, SK, crypto_sign_keypair);
#endif
    copy_keys(&m.fresh, &m.keys);
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
    size_t bytes = (size_t)sample->length + OVERHEAD;
    next_message(sample);
    if (input_given(m.sm, bytes, &bytes)) {
        m.smlen = bytes;
        return;
    }
    if (sign_with(m.sm, &m.smlen, m.message + sample->alignment, sample->length, m.keys.sk))
        harness_fail(VALID_REJECTED, "signing fails");
    input_made(m.sm, (size_t)m.smlen);
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
    m.with = timing_is_decoy ? 0 : (uint8_t)(1u << prng_word() % 8);
    m.sm[m.changed] ^= m.with;
}

/* Checks that a signed message opens to the message of the sample, whose first 8 bytes differ from timing to timing. */
static void opened(const struct sample *sample)
{
    const size_t length = (size_t)sample->length;
    timed_verdict(!m.result && m.mlen == length, "rejects its own signed message");
    timed_verdict(length <= 8 || !memcmp(m.opened + 8, m.message + sample->alignment + 8, length - 8),
                  "opens a signed message to another message");
    timed_own_output(m.opened, length);
    memset(m.opened, 0, length);
}

/* Opens one signature of a series; the same executable must sign alike when the call is repeated. */
static void signed_(const struct sample *sample)
{
    timed_verdict(!m.result, "signing fails");
    OWN_OUTPUT(m.sm, (size_t)m.smlen);
    if (!timing_is_audited()) return;
    m.result = crypto_sign_open(m.opened, &m.mlen, m.sm, m.smlen, m.keys.pk);
    timed_verdict(!m.result && m.mlen == sample->length &&
                      !memcmp(m.opened, m.message + sample->alignment, (size_t)sample->length),
                  "signs what cannot be opened");
}

static void drawn(const struct sample *sample)
{
    timed_verdict(!m.result, "key generation fails");
#ifndef KEYGEN_VARIES
    OWN_OUTPUT(m.drawn.pk, PK);
    OWN_OUTPUT(m.drawn.sk, SK);
    if (REPRODUCIBLE) return;
#endif
    if (!timing_is_audited()) return;
    const uint64_t length = sample->length;
    m.result = sign_with(m.sm, &m.smlen, m.message, length, m.drawn.sk) ||
               crypto_sign_open(m.opened, &m.mlen, m.sm, m.smlen, m.drawn.pk) || m.mlen != length ||
               memcmp(m.opened, m.message, (size_t)length);
    timed_verdict(!m.result, "draws a key pair that does not work");
}

#include "measure_more.h"

static void time_sign(struct sample *sample)
{
#ifdef crypto_sign_STATEFUL /* each signature changes it */
    unsigned char *sk = m.keys.sk;
    placed(PLACED_KEY, sk, SK);
#else
    const unsigned char *sk = placed_key(sample, m.keys.sk, SK);
#endif
    placed(PLACED_INPUT, m.message + sample->alignment, (size_t)sample->length);
    placed(PLACED_OUTPUT, m.sm, (size_t)sample->length + OVERHEAD);
    TIME_CHECKED(sample, next_message(sample),
                 m.result = sign_with(m.sm, &m.smlen, m.message + sample->alignment, sample->length, sk),
                 signed_(sample));
}

/* Returns the key to open with. */
static const unsigned char *placed_open(const struct sample *sample)
{
    placed(PLACED_INPUT, m.sm, (size_t)sample->length + OVERHEAD);
    placed(PLACED_OUTPUT, m.opened, (size_t)sample->length);
    return placed_key(sample, m.keys.pk, PK);
}

static void time_open(struct sample *sample)
{
    const unsigned char *pk = placed_open(sample);
    MAKE_INPUTS(&m.inputs, sample, make_input(sample));
    TIME_CHECKED(sample, m.smlen = inputs_next(&m.inputs, m.sm),
                 m.result = crypto_sign_open(m.opened, &m.mlen, m.sm, m.smlen, pk), opened(sample));
}

static void time_reject(struct sample *sample)
{
    const unsigned char *pk = placed_open(sample);
    sign_once(sample);
    m.with = 0;
    series_with_decoy(sample);
    TIME_CHECKED(sample, change(), m.result = crypto_sign_open(m.opened, &m.mlen, m.sm, m.smlen, pk),
                 timed_verdict(timing_is_decoy ? !m.result : m.result, "returns a wrong verdict"));
}

static void time_keypair(struct sample *sample)
{
    unsigned char *const pk = m.drawn.pk, *const sk = m.drawn.sk;
    placed(PLACED_OUTPUT, pk, PK + SK);
    TIME_CHECKED(sample, (void)0, m.result = crypto_sign_keypair(pk, sk), drawn(sample));
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    prng_fill(m.message + sample->alignment, (size_t)sample->length);
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
