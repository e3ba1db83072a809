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
    int ready;
    unsigned char *message, out[crypto_auth_BYTES], key[crypto_auth_KEYBYTES + 1];
} m;

static void setup(void)
{
    m.message = allocate((size_t)max_length(), 64);
    prng_fill(m.message, (size_t)max_length());
    prng_fill(m.key, crypto_auth_KEYBYTES);
    m.ready = 1;
}

static void verify(struct sample *s, unsigned char damage)
{
    const unsigned char *message = m.message + s->alignment;
    unsigned accepted = 0;
    if (crypto_auth(m.out, message, s->length, m.key)) harness_fail(CALL_FAILED, "returns an error while being timed");
    m.out[0] ^= damage;
    TIME_SERIES(s, (void)0, accepted += crypto_auth_verify(m.out, message, s->length, m.key) == 0);
    if (accepted != (damage ? 0 : s->timings)) harness_fail(WRONG_OUTPUT, "returns a wrong verdict while being timed");
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    placed(PLACED_KEY, m.key, crypto_auth_KEYBYTES);
    placed(PLACED_INPUT, m.message + sample->alignment, (size_t)sample->length);
    if (!strcmp(sample->measure, "auth"))
        TIME_SERIES(sample, (void)0, crypto_auth(m.out, m.message + sample->alignment, sample->length, m.key));
    else if (!strcmp(sample->measure, "verify"))
        verify(sample, 0);
    else if (!strcmp(sample->measure, "reject"))
        verify(sample, 1);
    else
        return -1;
    return 0;
}
