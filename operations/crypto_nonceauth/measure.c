/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_nonceauth:
 *
 *   nonceauth  a message of `length` bytes, with a nonce of its own
 *   keyed      the same with an expanded key, if the implementation has one */
#include <string.h>

#include "crypto_nonceauth.h"
#include "timing.h"

static struct {
    int ready;
    unsigned char *message, out[crypto_nonceauth_BYTES];
    unsigned char key[crypto_nonceauth_KEYBYTES + 1], nonce[crypto_nonceauth_NONCEBYTES + 1];
} m;

static void setup(void)
{
    m.message = allocate((size_t)max_length(), 64);
    prng_fill(m.message, (size_t)max_length());
    prng_fill(m.key, crypto_nonceauth_KEYBYTES);
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

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    prng_fill(m.nonce, crypto_nonceauth_NONCEBYTES);
    if (!strcmp(sample->measure, "nonceauth"))
        TIME_SERIES(sample, next_nonce(),
                    crypto_nonceauth(m.out, m.message + sample->alignment, sample->length, m.nonce, m.key));
    else if (!strcmp(sample->measure, "keyed"))
        keyed(sample);
    else
        return -1;
    return 0;
}
