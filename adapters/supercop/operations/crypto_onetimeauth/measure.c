/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of a foreign crypto_onetimeauth, each including the set-up of the key:
 *
 *   authenticate  a message of `length` bytes
 *   verify        a message of `length` bytes with its authenticator */
#include <string.h>

#include "crypto_onetimeauth.h"
#include "timing.h"

static struct {
    uint8_t *message, tag[crypto_onetimeauth_BYTES], key[crypto_onetimeauth_KEYBYTES + 1];
} m;

static void setup(void)
{
    m.message = allocate((size_t)max_length(), 64);
    prng_fill(m.key, crypto_onetimeauth_KEYBYTES);
}

/* Makes a new message and its authenticator; for a decoy, a wrong one. */
static void authenticate(const struct sample *s, uint8_t *message)
{
    freshen(message, s->length);
    if (crypto_onetimeauth(m.tag, message, s->length, m.key))
        harness_fail(CALL_FAILED, "returns an error while being timed");
    m.tag[0] ^= timing_is_decoy;
}

static void verify(struct sample *s, uint8_t *message)
{
    int verdict = 0;
    series_with_decoy(s);
    TIME_CHECKED(s, authenticate(s, message), verdict = crypto_onetimeauth_verify(m.tag, message, s->length, m.key),
                 timed_verdict((verdict != 0) == timing_is_decoy, "returns a wrong verdict"));
}

int operation_measure(struct sample *sample)
{
    if (!m.message) setup();
    uint8_t *message = m.message + sample->alignment;
    prng_fill(message, (size_t)sample->length);
    if (!strcmp(sample->measure, "authenticate"))
        TIME_CHECKED(sample, freshen(message, sample->length),
                     crypto_onetimeauth(m.tag, message, sample->length, m.key), timed_output(m.tag, sizeof m.tag));
    else if (!strcmp(sample->measure, "verify"))
        verify(sample, message);
    else
        return -1;
    return 0;
}
