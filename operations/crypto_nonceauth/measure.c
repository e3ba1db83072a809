/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_nonceauth:
 *
 *   nonceauth  a message of `length` bytes, with a nonce of its own
 *   verify     the same, compared with an authenticator that is wrong, as of a forgery
 *   keyed      the first with an expanded key, if the implementation has one */
#include <string.h>

#include "crypto_nonceauth.h"
#include "timing.h"

static struct {
    int ready;
    unsigned char *message, out[crypto_nonceauth_BYTES], claimed[crypto_nonceauth_BYTES];
    _Alignas(64) unsigned char keys[crypto_nonceauth_KEYBYTES + 64];
    unsigned char *key, nonce[crypto_nonceauth_NONCEBYTES + 1];
} m;

static void setup(void)
{
    m.message = allocate((size_t)max_length(), 64);
    prng_fill(m.message, (size_t)max_length());
    prng_fill(m.keys, sizeof m.keys);
    prng_fill(m.claimed, sizeof m.claimed);
    m.ready = 1;
}

static void next_nonce(void)
{
    for (size_t i = crypto_nonceauth_NONCEBYTES; i > 0 && ++m.nonce[i - 1] == 0; i--) continue;
}

#ifdef crypto_nonceauth_KEYED
static void keyed(struct sample *s)
{
    static crypto_nonceauth_key expanded;
    static int ready;
    crypto_nonceauth_state state;
    if (!ready && crypto_nonceauth_expandkey(&expanded, m.key)) harness_fail(CALL_FAILED, "expandkey returns an error");
    ready = 1;
    TIME_SERIES(s, next_nonce(), {
        crypto_nonceauth_start(&state, m.nonce, &expanded);
        crypto_nonceauth_update(&state, m.message + s->alignment, s->length);
        crypto_nonceauth_end(&state, m.out);
    });
}
#else
static void keyed(struct sample *s)
{
    TIME_SERIES(s, next_nonce(), crypto_nonceauth(m.out, m.message + s->alignment, s->length, m.nonce, m.key));
}
#endif

/* Whether the authenticator is the one claimed; looks at every byte, so its time tells nothing about them. */
static int verified(const struct sample *s)
{
    unsigned char differs = 0;
    if (crypto_nonceauth(m.out, m.message + s->alignment, s->length, m.nonce, m.key)) return 0;
    for (size_t i = 0; i < crypto_nonceauth_BYTES; i++) differs |= m.out[i] ^ m.claimed[i];
    return differs == 0;
}

static void verify(struct sample *s)
{
    unsigned accepted = 0;
    TIME_SERIES(s, next_nonce(), accepted += (unsigned)verified(s));
    if (accepted) harness_fail(FORGERY_ACCEPTED, "a random authenticator is right while being timed");
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    prng_fill(m.nonce, crypto_nonceauth_NONCEBYTES);
    m.key = m.keys + sample->key_alignment;
    placed(PLACED_KEY, m.key, crypto_nonceauth_KEYBYTES);
    placed(PLACED_INPUT, m.message + sample->alignment, (size_t)sample->length);
    placed(PLACED_OUTPUT, m.out, sizeof m.out);
    if (!strcmp(sample->measure, "nonceauth"))
        TIME_SERIES(sample, next_nonce(),
                    crypto_nonceauth(m.out, m.message + sample->alignment, sample->length, m.nonce, m.key));
    else if (!strcmp(sample->measure, "verify"))
        verify(sample);
    else if (!strcmp(sample->measure, "keyed"))
        keyed(sample);
    else
        return -1;
    return 0;
}
