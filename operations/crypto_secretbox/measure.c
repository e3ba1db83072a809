/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_secretbox:
 *
 *   box     a message of `length` bytes (without zero bytes)
 *   open    the box of such a message
 *   reject  the same with one bit changed */
#include <string.h>

#include "crypto_secretbox.h"
#include "timing.h"

#define ZERO crypto_secretbox_ZEROBYTES
#define BOXZERO crypto_secretbox_BOXZEROBYTES

static struct {
    int ready;
    unsigned char *message, *box, *opened;
    unsigned char *keys; /* on a page of their own: what is beside them is not read */
    unsigned char *key, nonce[crypto_secretbox_NONCEBYTES + 1];
} m;

static void setup(void)
{
    const size_t length = (size_t)max_length() + ZERO;
    m.message = allocate(length, 64);
    m.box = allocate(length, 64);
    m.opened = allocate(length, 64);
    m.keys = allocate(crypto_secretbox_KEYBYTES + 64, 0);
    prng_fill(m.keys, crypto_secretbox_KEYBYTES + 64);
    m.ready = 1;
}

static void next_nonce(void)
{
    prng_fill(m.nonce, crypto_secretbox_NONCEBYTES);
}

/* The position of the padded message depends on `alignment`, so other samples' bytes are
 * overwritten. */
static unsigned char *message_for(const struct sample *s)
{
    unsigned char *message = m.message + s->alignment;
    memset(message, 0, ZERO);
    prng_fill(message + ZERO, (size_t)s->length);
    return message;
}

static void box(struct sample *s)
{
    const unsigned char *message = message_for(s);
    TIME_CHECKED(s, next_nonce(), crypto_secretbox(m.box + s->alignment, message, s->length + ZERO, m.nonce, m.key),
                 timed_output(m.box + s->alignment, (size_t)s->length + ZERO));
}

static void seal(const struct sample *s, const unsigned char *message, unsigned char damage)
{
    size_t bytes = (size_t)s->length + ZERO;
    next_nonce();
    if (!input_given(m.box + s->alignment, bytes, &bytes)) {
        if (crypto_secretbox(m.box + s->alignment, message, s->length + ZERO, m.nonce, m.key))
            harness_fail(VALID_REJECTED, "rejects a valid message while being timed");
        input_made(m.box + s->alignment, bytes);
    }
    m.box[s->alignment + BOXZERO] ^= timing_is_decoy ? 0 : damage;
    memset(m.opened + s->alignment, 0xa5, (size_t)s->length + ZERO);
}

static void opened(const struct sample *s, int verdict, const unsigned char *message, unsigned char damage)
{
    if (damage && !timing_is_decoy) {
        timed_verdict(verdict != 0, "accepts a forgery");
        return;
    }
    timed_output(m.opened + s->alignment + ZERO, (size_t)s->length);
    timed_verdict(!verdict && !memcmp(m.opened + s->alignment + ZERO, message + ZERO, (size_t)s->length),
                  "does not open its own box");
}

static void open_box(struct sample *s, unsigned char damage)
{
    const unsigned char *message = message_for(s), *from = m.box + s->alignment;
    unsigned char *to = m.opened + s->alignment;
    int verdict = 0;
    if (damage) series_with_decoy(s);
    TIME_CHECKED(s, seal(s, message, damage),
                 verdict = crypto_secretbox_open(to, from, s->length + ZERO, m.nonce, m.key),
                 opened(s, verdict, message, damage));
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    const size_t bytes = (size_t)sample->length + ZERO;
    const int boxes = !strcmp(sample->measure, "box");
    m.key = m.keys + sample->key_alignment;
    placed(PLACED_KEY, m.key, crypto_secretbox_KEYBYTES);
    placed(PLACED_INPUT, (boxes ? m.message : m.box) + sample->alignment, bytes);
    placed(PLACED_OUTPUT, (boxes ? m.box : m.opened) + sample->alignment, bytes);
    prng_fill(m.nonce, crypto_secretbox_NONCEBYTES);
    if (!strcmp(sample->measure, "box"))
        box(sample);
    else if (!strcmp(sample->measure, "open"))
        open_box(sample, 0);
    else if (!strcmp(sample->measure, "reject"))
        open_box(sample, 1);
    else
        return -1;
    return 0;
}
