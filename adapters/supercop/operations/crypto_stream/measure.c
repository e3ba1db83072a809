/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of a foreign crypto_stream, each including the set-up of key and nonce:
 *
 *   stream  `length` bytes of keystream
 *   xor     a message of `length` bytes */
#include <string.h>

#include "crypto_stream.h"
#include "timing.h"

static struct {
    uint8_t *in, *out, key[crypto_stream_KEYBYTES + 1], nonce[crypto_stream_NONCEBYTES + 1];
} m;

static void setup(void)
{
    const size_t length = (size_t)max_length();
    m.in = allocate(length, 64);
    m.out = allocate(length, 64);
    prng_fill(m.in, length);
    prng_fill(m.key, crypto_stream_KEYBYTES);
}

static void next_nonce(void)
{
    prng_fill(m.nonce, crypto_stream_NONCEBYTES);
}

int operation_measure(struct sample *sample)
{
    if (!m.in) setup();
    uint8_t *out = m.out + sample->alignment, *in = m.in + sample->alignment;
    if (!strcmp(sample->measure, "stream"))
        TIME_CHECKED(sample, next_nonce(), crypto_stream(out, sample->length, m.nonce, m.key),
                     timed_output(out, (size_t)sample->length));
    else if (!strcmp(sample->measure, "xor"))
        TIME_CHECKED(sample, next_nonce(), crypto_stream_xor(out, in, sample->length, m.nonce, m.key),
                     timed_output(out, (size_t)sample->length));
    else
        return -1;
    return 0;
}
