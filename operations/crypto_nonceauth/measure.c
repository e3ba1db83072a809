/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_nonceauth:
 *
 *   nonceauth  a message of `length` bytes, with a nonce of its own */
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
    prng_fill(m.key, crypto_nonceauth_KEYBYTES);
    m.ready = 1;
}

static void renew(unsigned char *message, uint64_t length)
{
    prng_fill(m.nonce, crypto_nonceauth_NONCEBYTES);
    freshen(message, length);
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    unsigned char *message = m.message + sample->alignment;
    prng_fill(message, sample->length);
    if (!strcmp(sample->measure, "nonceauth"))
        TIME_SERIES(sample, renew(message, sample->length),
                    crypto_nonceauth(m.out, message, sample->length, m.nonce, m.key),
                    timed_output(m.out, sizeof m.out));
    else
        return -1;
    return 0;
}
