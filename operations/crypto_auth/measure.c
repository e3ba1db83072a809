/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_auth:
 *
 *   auth    a message of `length` bytes
 *   verify  a message of `length` bytes with its authenticator
 *   reject  the same with one bit of the authenticator changed */
#include <string.h>

#include "crypto_auth.h"
#include "timing.h"

static struct {
    unsigned char *message, *out, *key;
    unsigned char *keys; /* on a page of their own: what is beside them is not read */
} m;

static void setup(void)
{
    m.message = allocate((size_t)max_length(), 64);
    m.out = allocate(crypto_auth_BYTES, 256);
    m.keys = allocate(crypto_auth_KEYBYTES + 64, 0);
    prng_fill(m.keys, crypto_auth_KEYBYTES + 64);
}

/* Makes a new message and its authenticator; for a decoy, the other kind of authenticator. */
static void authenticate(const struct sample *s, unsigned char damage)
{
    size_t bytes = crypto_auth_BYTES;
    freshen(m.message + s->alignment, s->length);
    if (!input_given(m.out, bytes, &bytes)) {
        if (crypto_auth(m.out, m.message + s->alignment, s->length, m.key))
            harness_fail(CALL_FAILED, "returns an error while being timed");
        input_made(m.out, bytes);
    }
    m.out[0] ^= timing_is_decoy ? !damage : damage;
}

static void verify(struct sample *s, unsigned char damage)
{
    const unsigned char *message = m.message + s->alignment, *const out = m.out;
    int verdict = 0;
    series_with_decoy(s);
    TIME_CHECKED(
        s, authenticate(s, damage), verdict = crypto_auth_verify(out, message, s->length, m.key),
        timed_verdict((verdict == 0) == (timing_is_decoy ? damage != 0 : damage == 0), "returns a wrong verdict"));
}

int operation_measure(struct sample *sample)
{
    if (!m.out) setup();
    m.key = m.keys + sample->key_alignment;
    placed(PLACED_KEY, m.key, crypto_auth_KEYBYTES);
    placed(PLACED_INPUT, m.message + sample->alignment, (size_t)sample->length);
    placed(PLACED_OUTPUT, m.out, crypto_auth_BYTES);
    unsigned char *message = m.message + sample->alignment, *const out = m.out;
    prng_fill(message, sample->length);
    if (!strcmp(sample->measure, "auth"))
        TIME_CHECKED(sample, freshen(message, sample->length), crypto_auth(out, message, sample->length, m.key),
                     timed_output(out, crypto_auth_BYTES));
    else if (!strcmp(sample->measure, "verify"))
        verify(sample, 0);
    else if (!strcmp(sample->measure, "reject"))
        verify(sample, 1);
    else
        return -1;
    return 0;
}
