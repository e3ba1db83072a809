/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An interface of 32-bit words, around a primitive that takes bytes, has to swap the bytes of each word of message and
 * result: the function does it; the caller, outside the timing (which makes a benchmark look better); or the caller,
 * and it is timed. */
#include "api.h"

#define OUTPUT (size_t)SUBJECT_OUTPUT(m->n)

/* Swaps the bytes of every whole word. */
static __attribute__((noinline)) void swap(uint8_t *out, const uint8_t *in, size_t n)
{
    size_t i = 0;
    for (uint32_t word; i + sizeof word <= n; i += sizeof word) {
        memcpy(&word, in + i, sizeof word);
        word = __builtin_bswap32(word);
        memcpy(out + i, &word, sizeof word);
    }
    memcpy(out + i, in + i, n - i);
}

/* Words in, words out: words are in spare[0], and the swapped result goes to spare[1]. */
static __attribute__((noinline)) void call_with_words(const struct message *m)
{
    uint8_t bytes[16384 + MARGIN];
    swap(bytes, m->spare[0], (size_t)m->n);
    DIRECT(m->out, bytes, m->nonce, m->state);
    swap(m->spare[1], m->out, OUTPUT);
}

static uint8_t swapped[16384 + MARGIN];

BASE("order", inside, , swap(m->spare[0], m->in, (size_t)m->n), call_with_words(m));
LEVEL("order", untimed, , (swap(m->spare[0], m->in, (size_t)m->n), swap(swapped, m->spare[0], (size_t)m->n)),
      DIRECT(m->out, swapped, m->nonce, m->state));
LEVEL("order", caller, , swap(m->spare[0], m->in, (size_t)m->n),
      (swap(swapped, m->spare[0], (size_t)m->n), DIRECT(m->out, swapped, m->nonce, m->state),
       swap(m->spare[1], m->out, OUTPUT)));
