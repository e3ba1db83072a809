/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_kem:
 *
 *   keypair       a new key pair each time
 *   encapsulate   a new session key each time
 *   decapsulate   a new ciphertext each time
 *   reject        a ciphertext with one bit changed, a different bit each time */
#include <string.h>

#include "crypto_kem.h"
#include "inputs.h"
#include "placed_key.h"

/* Without randombytes no other process computes the same. */
#ifdef crypto_kem_OWN_RANDOM
#define OWN_OUTPUT(bytes, length) ((void)0)
#else
#define OWN_OUTPUT(bytes, length) timed_own_output(bytes, length)
#endif

static struct {
    uint8_t pk[crypto_kem_PUBLICKEYBYTES], sk[crypto_kem_SECRETKEYBYTES];
    uint8_t drawn_pk[crypto_kem_PUBLICKEYBYTES], drawn_sk[crypto_kem_SECRETKEYBYTES];
    struct {
        uint8_t c[crypto_kem_CIPHERTEXTBYTES], k[crypto_kem_BYTES];
    } sent;
    uint8_t again[crypto_kem_BYTES];
    size_t changed;
    uint8_t with;
    int ready, result;
    struct inputs inputs;
} m;

static void setup(void)
{
    m.ready = 1;
    inputs_open(&m.inputs, sizeof m.sent);
    keypair_to_measure(m.pk, sizeof m.pk, m.sk, sizeof m.sk, crypto_kem_keypair);
}

static void new_ciphertext(void)
{
    size_t bytes = sizeof m.sent;
    m.with = 0;
    if (input_given(&m.sent, bytes, &bytes)) return;
    if (crypto_kem_enc(m.sent.c, m.sent.k, m.pk)) harness_fail(VALID_REJECTED, "encapsulation fails");
    input_made(&m.sent, bytes);
}

static void make_input(void)
{
    new_ciphertext();
    inputs_keep(&m.inputs, &m.sent, sizeof m.sent);
}

/* The session key of an implicit rejection follows from the key pair and the ciphertext. */
static void decapsulated(int forged)
{
    const int same = !m.result && !memcmp(m.sent.k, m.again, sizeof m.sent.k);
    timed_verdict(forged ? !same : same, forged ? "accepts a forgery" : "decapsulation fails");
    if (!m.result) OWN_OUTPUT(m.again, sizeof m.again);
    memset(m.again, 0, sizeof m.again);
}

static void encapsulated(void)
{
    timed_verdict(!m.result, "encapsulation fails");
    OWN_OUTPUT(&m.sent, sizeof m.sent);
    if (!timing_is_audited()) return;
    timed_verdict(!crypto_kem_dec(m.again, m.sent.c, m.sk) && !memcmp(m.sent.k, m.again, sizeof m.again),
                  "encapsulates what cannot be decapsulated");
}

static void drawn(void)
{
    timed_verdict(!m.result, "key generation fails");
    OWN_OUTPUT(m.drawn_pk, sizeof m.drawn_pk);
    OWN_OUTPUT(m.drawn_sk, sizeof m.drawn_sk);
    if (!timing_is_audited()) return;
    timed_verdict(!crypto_kem_enc(m.sent.c, m.sent.k, m.drawn_pk) && !crypto_kem_dec(m.again, m.sent.c, m.drawn_sk) &&
                      !memcmp(m.sent.k, m.again, sizeof m.again),
                  "draws a key pair that does not work");
}

static void change(void)
{
    m.sent.c[m.changed] ^= m.with;
    m.changed = (size_t)(prng_word() % sizeof m.sent.c);
    m.with = timing_is_decoy ? 0 : (uint8_t)(1u << prng_word() % 8);
    m.sent.c[m.changed] ^= m.with;
}

/* Returns the key to decapsulate with. */
static const uint8_t *placed_decapsulate(const struct sample *sample)
{
    placed(PLACED_INPUT, m.sent.c, sizeof m.sent.c);
    placed(PLACED_OUTPUT, m.again, sizeof m.again);
    return placed_key(sample, m.sk, sizeof m.sk);
}

static void time_encapsulate(struct sample *sample)
{
    const uint8_t *pk = placed_key(sample, m.pk, sizeof m.pk);
    placed(PLACED_OUTPUT, &m.sent, sizeof m.sent);
    TIME_CHECKED(sample, (void)0, m.result = crypto_kem_enc(m.sent.c, m.sent.k, pk), encapsulated());
}

static void time_decapsulate(struct sample *sample)
{
    const uint8_t *sk = placed_decapsulate(sample);
    MAKE_INPUTS(&m.inputs, sample, make_input());
    TIME_CHECKED(sample, (void)inputs_next(&m.inputs, &m.sent), m.result = crypto_kem_dec(m.again, m.sent.c, sk),
                 decapsulated(0));
}

static void time_reject(struct sample *sample)
{
    const uint8_t *sk = placed_decapsulate(sample);
    new_ciphertext();
    series_with_decoy(sample);
    TIME_CHECKED(sample, change(), m.result = crypto_kem_dec(m.again, m.sent.c, sk), decapsulated(!timing_is_decoy));
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    if (!strcmp(sample->measure, "keypair"))
        TIME_CHECKED(sample, (void)0, m.result = crypto_kem_keypair(m.drawn_pk, m.drawn_sk), drawn());
    else if (!strcmp(sample->measure, "encapsulate"))
        time_encapsulate(sample);
    else if (!strcmp(sample->measure, "decapsulate"))
        time_decapsulate(sample);
    else if (!strcmp(sample->measure, "reject"))
        time_reject(sample);
    else
        return -1;
    return 0;
}
