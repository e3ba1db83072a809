/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What happens to the buffers: message and result apart; in one place; a message at an odd address, taken as it is or
 * copied to an aligned one; a buffer that grows by realloc for padding and authenticator; one with room to spare that
 * is cut to the result afterwards. */
#include "api.h"

#define OUTPUT (size_t)SUBJECT_OUTPUT(m->n)
#define SPARE 64 /* bytes that a buffer is cut by */

static uint8_t *to_odd(const struct message *m)
{
    return memcpy(m->spare[0] + 1, m->in, (size_t)m->n);
}

PLAIN_BASE("buffer", apart);
LEVEL("buffer", odd, , (void)to_odd(m), DIRECT(m->out, m->spare[0] + 1, m->nonce, m->state));
LEVEL("buffer", copied, , (void)to_odd(m),
      (memcpy(m->spare[1], m->spare[0] + 1, (size_t)m->n), DIRECT(m->out, m->spare[1], m->nonce, m->state)));

static uint8_t *room;
LEVEL("buffer", chopped, m->result = NULL, (free(room), room = malloc(OUTPUT + SPARE)),
      (DIRECT(room, m->in, m->nonce, m->state), m->result = room = realloc(room, OUTPUT)));

#ifdef SUBJECT_TEXT
LEVEL("buffer", in_place, , memcpy(m->out + SUBJECT_TEXT, m->in, (size_t)m->n),
      DIRECT(m->out, m->out + SUBJECT_TEXT, m->nonce, m->state));

static uint8_t *grown;

/* Makes room for a result around the message in `grown`. */
static __attribute__((noinline)) uint8_t *grow(const struct message *m)
{
    uint8_t *larger = realloc(grown, OUTPUT + SUBJECT_BLOCKBYTES);
    memmove(larger + SUBJECT_TEXT, larger, (size_t)m->n);
    return larger;
}

LEVEL("buffer", grown, , (free(grown), grown = malloc((size_t)m->n), memcpy(grown, m->in, (size_t)m->n)),
      (m->result = grown = grow(m), DIRECT(grown, grown + SUBJECT_TEXT, m->nonce, m->state)));
#endif
