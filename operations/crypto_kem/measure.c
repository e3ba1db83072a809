/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_kem:
 *
 *   keypair       a new key pair each time
 *   encapsulate   a new session key each time
 *   decapsulate   a new ciphertext each time
 *   reject        a ciphertext with one bit changed, a different bit each time */
#include <string.h>

#include "crypto_kem.h"

#define PK crypto_kem_PUBLICKEYBYTES
#define SK crypto_kem_SECRETKEYBYTES
#include "inputs.h"
#include "key_pair.h"
#include "placed_key.h"

#define CIPHERTEXT crypto_kem_CIPHERTEXTBYTES
#define SESSION crypto_kem_BYTES
#define SENT (CIPHERTEXT + SESSION)

/* Without randombytes no other process computes the same. */
#ifdef crypto_kem_OWN_RANDOM
#define OWN_OUTPUT(bytes, length) ((void)0)
#else
#define OWN_OUTPUT(bytes, length) timed_own_output(bytes, length)
#endif

static struct {
    struct keys keys, drawn;
    uint8_t *c, *k; /* a ciphertext, and behind it in the same memory its session key */
    uint8_t *again; /* the session key that decapsulation returns */
    size_t changed;
    uint8_t with;
    int ready, result;
    struct inputs inputs;
} m;

static void setup(void)
{
    m.ready = 1;
    open_keys(&m.keys), open_keys(&m.drawn);
    m.c = allocate(SENT, 256);
    m.k = m.c + CIPHERTEXT;
    m.again = allocate(SESSION, 64);
    inputs_open(&m.inputs, SENT);
    keypair_to_measure(m.keys.pk, PK, m.keys.sk, SK, crypto_kem_keypair);
}

static void new_ciphertext(void)
{
    size_t bytes = SENT;
    m.with = 0;
    if (input_given(m.c, bytes, &bytes)) return;
    if (crypto_kem_enc(m.c, m.k, m.keys.pk)) harness_fail(VALID_REJECTED, "encapsulation fails");
    input_made(m.c, bytes);
}

static void make_input(void)
{
    new_ciphertext();
    inputs_keep(&m.inputs, m.c, SENT);
}

/* The session key of an implicit rejection follows from the key pair and the ciphertext. */
static void decapsulated(int forged)
{
    const int same = !m.result && !memcmp(m.k, m.again, SESSION);
    timed_verdict(forged ? !same : same, forged ? "accepts a forgery" : "decapsulation fails");
    if (!m.result) OWN_OUTPUT(m.again, SESSION);
    memset(m.again, 0, SESSION);
}

static void encapsulated(void)
{
    timed_verdict(!m.result, "encapsulation fails");
    OWN_OUTPUT(m.c, SENT);
    if (!timing_is_audited()) return;
    timed_verdict(!crypto_kem_dec(m.again, m.c, m.keys.sk) && !memcmp(m.k, m.again, SESSION),
                  "encapsulates what cannot be decapsulated");
}

static void drawn(void)
{
    timed_verdict(!m.result, "key generation fails");
    OWN_OUTPUT(m.drawn.pk, PK);
    OWN_OUTPUT(m.drawn.sk, SK);
    if (!timing_is_audited()) return;
    timed_verdict(!crypto_kem_enc(m.c, m.k, m.drawn.pk) && !crypto_kem_dec(m.again, m.c, m.drawn.sk) &&
                      !memcmp(m.k, m.again, SESSION),
                  "draws a key pair that does not work");
}

static void change(void)
{
    m.c[m.changed] ^= m.with;
    m.changed = (size_t)(prng_word() % CIPHERTEXT);
    m.with = timing_is_decoy ? 0 : (uint8_t)(1u << prng_word() % 8);
    m.c[m.changed] ^= m.with;
}

/* Returns the key to decapsulate with. */
static const uint8_t *placed_decapsulate(const struct sample *sample)
{
    placed(PLACED_INPUT, m.c, CIPHERTEXT);
    placed(PLACED_OUTPUT, m.again, SESSION);
    return placed_key(sample, m.keys.sk, SK);
}

static void time_encapsulate(struct sample *sample)
{
    const uint8_t *pk = placed_key(sample, m.keys.pk, PK);
    uint8_t *const c = m.c, *const k = m.k;
    placed(PLACED_OUTPUT, c, SENT);
    TIME_CHECKED(sample, (void)0, m.result = crypto_kem_enc(c, k, pk), encapsulated());
}

static void time_decapsulate(struct sample *sample)
{
    const uint8_t *sk = placed_decapsulate(sample);
    uint8_t *const c = m.c, *const k = m.again;
    MAKE_INPUTS(&m.inputs, sample, make_input());
    TIME_CHECKED(sample, (void)inputs_next(&m.inputs, c), m.result = crypto_kem_dec(k, c, sk), decapsulated(0));
}

static void time_reject(struct sample *sample)
{
    const uint8_t *sk = placed_decapsulate(sample);
    uint8_t *const c = m.c, *const k = m.again;
    new_ciphertext();
    series_with_decoy(sample);
    TIME_CHECKED(sample, change(), m.result = crypto_kem_dec(k, c, sk), decapsulated(!timing_is_decoy));
}

static void time_keypair(struct sample *sample)
{
    uint8_t *const pk = m.drawn.pk, *const sk = m.drawn.sk;
    TIME_CHECKED(sample, (void)0, m.result = crypto_kem_keypair(pk, sk), drawn());
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    if (!strcmp(sample->measure, "keypair"))
        time_keypair(sample);
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
