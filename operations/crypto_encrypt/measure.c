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

#define PK crypto_encrypt_PUBLICKEYBYTES
#define SK crypto_encrypt_SECRETKEYBYTES
#define OVERHEAD crypto_encrypt_BYTES
#include "inputs.h"
#include "key_pair.h"
#include "placed_key.h"

/* Without randombytes no other process computes the same. */
#ifdef crypto_encrypt_OWN_RANDOM
#define OWN_OUTPUT(bytes, length) ((void)0)
#else
#define OWN_OUTPUT(bytes, length) timed_own_output(bytes, length)
#endif

static struct {
    struct keys keys, drawn;
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
    m.c = allocate(most + OVERHEAD, 64);
    m.opened = allocate(most + OVERHEAD, 64);
    inputs_open(&m.inputs, most + OVERHEAD);
    prng_fill(m.message, most);
    open_keys(&m.keys), open_keys(&m.drawn);
    keypair_to_measure(m.keys.pk, PK, m.keys.sk, SK, crypto_encrypt_keypair);
}

static void next_message(const struct sample *sample)
{
    const uint64_t word = prng_word();
    memcpy(m.message + sample->alignment, &word, sample->length < 8 ? (size_t)sample->length : 8);
}

static void encrypt_once(const struct sample *sample)
{
    size_t bytes = (size_t)sample->length + OVERHEAD;
    m.with = 0;
    next_message(sample);
    if (input_given(m.c, bytes, &bytes)) {
        m.clen = bytes;
        return;
    }
    if (crypto_encrypt(m.c, &m.clen, m.message + sample->alignment, sample->length, m.keys.pk))
        harness_fail(VALID_REJECTED, "encryption fails");
    input_made(m.c, (size_t)m.clen);
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
    m.with = timing_is_decoy ? 0 : (uint8_t)(1u << prng_word() % 8);
    m.c[m.changed] ^= m.with;
}

/* The message is the last one but its first bytes, which make_input has changed since. */
static void opened(const struct sample *sample)
{
    const size_t length = (size_t)sample->length;
    timed_verdict(!m.result && m.mlen == length, "rejects its own ciphertext");
    timed_verdict(length <= 8 || !memcmp(m.opened + 8, m.message + sample->alignment + 8, length - 8),
                  "opens a ciphertext to another message");
    timed_own_output(m.opened, length);
    memset(m.opened, 0, length);
}

static void encrypted(const struct sample *sample)
{
    timed_verdict(!m.result, "encryption fails");
    OWN_OUTPUT(m.c, (size_t)m.clen);
    if (!timing_is_audited()) return;
    m.result = crypto_encrypt_open(m.opened, &m.mlen, m.c, m.clen, m.keys.sk);
    timed_verdict(!m.result && m.mlen == sample->length &&
                      !memcmp(m.opened, m.message + sample->alignment, (size_t)sample->length),
                  "encrypts what cannot be opened");
}

static void rejected(const struct sample *sample)
{
    if (timing_is_decoy)
        opened(sample);
    else
        timed_verdict(m.result || !crypto_encrypt_CHOSENCIPHERTEXT, "accepts a forgery");
}

static void drawn(void)
{
    static uint8_t *c, *back;
    static const uint8_t message[16] = {1, 2, 3};
    unsigned long long clen = 0, mlen = 0;
    timed_verdict(!m.result, "key generation fails");
    OWN_OUTPUT(m.drawn.pk, PK);
    OWN_OUTPUT(m.drawn.sk, SK);
    if (!timing_is_audited()) return;
    if (!c) c = allocate(OVERHEAD + sizeof message, 0), back = allocate(OVERHEAD + sizeof message, 0);
    timed_verdict(!crypto_encrypt(c, &clen, message, sizeof message, m.drawn.pk) &&
                      !crypto_encrypt_open(back, &mlen, c, clen, m.drawn.sk) && mlen == sizeof message &&
                      !memcmp(back, message, sizeof message),
                  "draws a key pair that does not work");
}

static void time_encrypt(struct sample *sample)
{
    const uint8_t *pk = placed_key(sample, m.keys.pk, PK);
    placed(PLACED_INPUT, m.message + sample->alignment, (size_t)sample->length);
    placed(PLACED_OUTPUT, m.c, (size_t)sample->length + OVERHEAD);
    TIME_CHECKED(sample, next_message(sample),
                 m.result = crypto_encrypt(m.c, &m.clen, m.message + sample->alignment, sample->length, pk),
                 encrypted(sample));
}

/* Returns the key to decrypt with. */
static const uint8_t *placed_open(const struct sample *sample)
{
    placed(PLACED_INPUT, m.c, (size_t)sample->length + OVERHEAD);
    placed(PLACED_OUTPUT, m.opened, (size_t)sample->length);
    return placed_key(sample, m.keys.sk, SK);
}

static void time_open(struct sample *sample)
{
    const uint8_t *sk = placed_open(sample);
    MAKE_INPUTS(&m.inputs, sample, make_input(sample));
    TIME_CHECKED(sample, m.clen = inputs_next(&m.inputs, m.c),
                 m.result = crypto_encrypt_open(m.opened, &m.mlen, m.c, m.clen, sk), opened(sample));
}

static void time_reject(struct sample *sample)
{
    const uint8_t *sk = placed_open(sample);
    encrypt_once(sample);
    series_with_decoy(sample);
    TIME_CHECKED(sample, change(), m.result = crypto_encrypt_open(m.opened, &m.mlen, m.c, m.clen, sk),
                 rejected(sample));
}

static void time_keypair(struct sample *sample)
{
    uint8_t *const pk = m.drawn.pk, *const sk = m.drawn.sk;
    TIME_CHECKED(sample, (void)0, m.result = crypto_encrypt_keypair(pk, sk), drawn());
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    prng_fill(m.message + sample->alignment, (size_t)sample->length);
    if (!strcmp(sample->measure, "keypair"))
        time_keypair(sample);
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
