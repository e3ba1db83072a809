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
    prng_fill(m.message, (size_t)max_length());
    prng_fill(m.key, crypto_onetimeauth_KEYBYTES);
}

static void verify(struct sample *s, const uint8_t *message)
{
    unsigned accepted = 0;
    if (crypto_onetimeauth(m.tag, message, s->length, m.key))
        harness_fail(CALL_FAILED, "returns an error while being timed");
    TIME_SERIES(s, (void)0, accepted += crypto_onetimeauth_verify(m.tag, message, s->length, m.key) == 0);
    if (accepted != s->timings) harness_fail(WRONG_OUTPUT, "returns a wrong verdict while being timed");
}

int operation_measure(struct sample *sample)
{
    if (!m.message) setup();
    uint8_t *message = m.message + sample->alignment;
    if (!strcmp(sample->measure, "authenticate"))
        TIME_SERIES(sample, (void)0, crypto_onetimeauth(m.tag, message, sample->length, m.key));
    else if (!strcmp(sample->measure, "verify"))
        verify(sample, message);
    else
        return -1;
    return 0;
}
