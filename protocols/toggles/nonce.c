/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Where the nonce of a packet comes from: a counter, or the system's random numbers. */
#include "api.h"

#if SUBJECT_NONCEBYTES

#include <sys/random.h>

/* A little-endian counter. */
static __attribute__((noinline)) void count(uint8_t *nonce)
{
    for (unsigned i = 0; i < SUBJECT_NONCEBYTES && ++nonce[i] == 0; i++) continue;
}

static __attribute__((noinline)) void draw(uint8_t *nonce)
{
    if (getrandom(nonce, SUBJECT_NONCEBYTES, 0) != SUBJECT_NONCEBYTES) abort();
}

BASE("nonce", counter, , , (count(m->nonce), DIRECT(m->out, m->in, m->nonce, m->state)));
LEVEL("nonce", drawn, m->is_random = 1, , (draw(m->nonce), DIRECT(m->out, m->in, m->nonce, m->state)));

#endif
