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
    unsigned char *message, *out, *claimed;
    unsigned char *keys; /* on a page of their own: what is beside them is not read */
    unsigned char *key, *nonce;
#ifdef crypto_nonceauth_KEYED
    crypto_nonceauth_key *expanded;
    crypto_nonceauth_state *state;
#endif
} m;

static void setup(void)
{
    m.message = allocate((size_t)max_length(), 64);
    m.out = allocate(crypto_nonceauth_BYTES, 256);
    m.claimed = allocate(crypto_nonceauth_BYTES, 320);
    m.nonce = allocate(crypto_nonceauth_NONCEBYTES, 128);
    m.keys = allocate(crypto_nonceauth_KEYBYTES + 64, 0);
    prng_fill(m.keys, crypto_nonceauth_KEYBYTES + 64);
    prng_fill(m.claimed, crypto_nonceauth_BYTES);
}

static void renew(unsigned char *message, uint64_t length)
{
    prng_fill(m.nonce, crypto_nonceauth_NONCEBYTES);
    freshen(message, length);
}

#ifdef crypto_nonceauth_KEYED
static void keyed(struct sample *s)
{
    if (!m.expanded) {
        m.expanded = allocate(crypto_nonceauth_key_size, 0);
        m.state = allocate(crypto_nonceauth_state_size, 0);
        if (crypto_nonceauth_expandkey(m.expanded, m.key)) harness_fail(CALL_FAILED, "expandkey returns an error");
    }
    const crypto_nonceauth_key *expanded = m.expanded;
    crypto_nonceauth_state *state = m.state;
    unsigned char *message = m.message + s->alignment, *const out = m.out, *const nonce = m.nonce;
    placed(PLACED_KEY, expanded, crypto_nonceauth_key_size);
    TIME_CHECKED(
        s, renew(message, s->length),
        {
            crypto_nonceauth_start(state, nonce, expanded);
            crypto_nonceauth_update(state, message, s->length);
            crypto_nonceauth_end(state, out);
        },
        timed_output(out, crypto_nonceauth_BYTES));
}
#else
static void keyed(struct sample *s)
{
    unsigned char *message = m.message + s->alignment, *const out = m.out, *const nonce = m.nonce;
    TIME_CHECKED(s, renew(message, s->length), crypto_nonceauth(out, message, s->length, nonce, m.key),
                 timed_output(out, crypto_nonceauth_BYTES));
}
#endif

/* Whether the authenticator is the one claimed; looks at every byte, so its time tells nothing about them. */
static inline __attribute__((always_inline)) int verified(const struct sample *s, unsigned char *out,
                                                          const unsigned char *nonce, const unsigned char *claimed,
                                                          size_t bytes)
{
    unsigned char differs = 0;
    if (crypto_nonceauth(out, m.message + s->alignment, s->length, nonce, m.key)) return 0;
    for (size_t i = 0; i < bytes; i++) differs |= out[i] ^ claimed[i];
    return differs == 0;
}

static void verify(struct sample *s)
{
    unsigned char *const out = m.out, *const nonce = m.nonce, *const claimed = m.claimed;
    const size_t bytes = crypto_nonceauth_BYTES;
    int accepted = 0;
    TIME_CHECKED(s, renew(m.message + s->alignment, s->length), accepted = verified(s, out, nonce, claimed, bytes),
                 (timed_verdict(!accepted, "a random authenticator is right"), timed_output(out, bytes)));
}

int operation_measure(struct sample *sample)
{
    if (!m.message) setup();
    unsigned char *message = m.message + sample->alignment, *const out = m.out, *const nonce = m.nonce;
    m.key = m.keys + sample->key_alignment;
    placed(PLACED_KEY, m.key, crypto_nonceauth_KEYBYTES);
    placed(PLACED_INPUT, message, (size_t)sample->length);
    placed(PLACED_OUTPUT, m.out, crypto_nonceauth_BYTES);
    prng_fill(message, sample->length);
    if (!strcmp(sample->measure, "nonceauth"))
        TIME_CHECKED(sample, renew(message, sample->length),
                     crypto_nonceauth(out, message, sample->length, nonce, m.key),
                     timed_output(out, crypto_nonceauth_BYTES));
    else if (!strcmp(sample->measure, "verify"))
        verify(sample);
    else if (!strcmp(sample->measure, "keyed"))
        keyed(sample);
    else
        return -1;
    return 0;
}
