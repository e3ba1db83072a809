/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_stream:
 *
 *   xor        start, then xor of `length` bytes, as in encryption
 *   first      start alone: the 16 bytes that reject a forgery
 *   expandkey  one key */
#include <string.h>

#include "crypto_stream.h"
#include "timing.h"

static struct {
    crypto_stream_key *expanded, *other;
    crypto_stream_state *state;
    uint8_t *in, *out, first[crypto_stream_FIRSTBYTES], *nonce, *key;
} m;

static void setup(void)
{
    const size_t length = (size_t)max_length();
    m.expanded = allocate(crypto_stream_key_size, 0);
    m.other = allocate(crypto_stream_key_size, 0);
    m.state = allocate(crypto_stream_state_size, 0);
    m.in = allocate(length, 64);
    m.out = allocate(length, 64);
    m.nonce = allocate(crypto_stream_NONCEBYTES, 128);
    m.key = allocate(crypto_stream_KEYBYTES, 257);
    prng_fill(m.in, length);
    prng_fill(m.key, crypto_stream_KEYBYTES);
    crypto_stream_expandkey(m.expanded, m.key);
}

static void next_nonce(void)
{
    prng_fill(m.nonce, crypto_stream_NONCEBYTES);
}

static inline __attribute__((always_inline)) void start_and_xor(const struct sample *s, const uint8_t *nonce)
{
    crypto_stream_start(m.state, m.first, nonce, m.expanded, s->length);
    crypto_stream_xor(m.state, m.out + s->output_alignment, m.in + s->alignment, s->length);
}

/* Adds the keystream of a new key, because the bytes of an expanded key are the implementation's own. */
static void try_key(void)
{
    crypto_stream_start(m.state, m.first, m.nonce, m.other, 0);
    timed_output(m.first, sizeof m.first);
}

int operation_measure(struct sample *sample)
{
    if (!m.expanded) setup();
    uint8_t *const nonce = m.nonce, *const key = m.key;
    prng_fill(nonce, crypto_stream_NONCEBYTES);
    placed(PLACED_KEY, m.expanded, crypto_stream_key_size);
    placed(PLACED_INPUT, m.in + sample->alignment, (size_t)sample->length);
    placed(PLACED_OUTPUT, m.out + sample->output_alignment, (size_t)sample->length);
    if (!strcmp(sample->measure, "expandkey")) {
        placed(PLACED_KEY, key, crypto_stream_KEYBYTES);
        placed(PLACED_INPUT, NULL, 0);
        placed(PLACED_OUTPUT, m.other, crypto_stream_key_size);
    }
    if (!strcmp(sample->measure, "xor"))
        TIME_CHECKED(sample, next_nonce(), start_and_xor(sample, nonce),
                     timed_output(m.out + sample->output_alignment, (size_t)sample->length));
    else if (!strcmp(sample->measure, "first"))
        TIME_CHECKED(sample, next_nonce(), crypto_stream_start(m.state, m.first, nonce, m.expanded, 0),
                     timed_output(m.first, sizeof m.first));
    else if (!strcmp(sample->measure, "expandkey"))
        TIME_CHECKED(sample, prng_fill(key, crypto_stream_KEYBYTES), crypto_stream_expandkey(m.other, key), try_key());
    else
        return -1;
    return 0;
}
