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
    prng_fill(m.message, (size_t)max_length());
    prng_fill(m.key, crypto_nonceauth_KEYBYTES);
    m.ready = 1;
}

static void next_nonce(void)
{
    for (size_t i = crypto_nonceauth_NONCEBYTES; i > 0 && ++m.nonce[i - 1] == 0; i--) continue;
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    prng_fill(m.nonce, crypto_nonceauth_NONCEBYTES);
    if (!strcmp(sample->measure, "nonceauth"))
        TIME_SERIES(sample, next_nonce(),
                    crypto_nonceauth(m.out, m.message + sample->alignment, sample->length, m.nonce, m.key));
    else
        return -1;
    return 0;
}
