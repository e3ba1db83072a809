/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Whether the expanded key and the message are cleared after the call. */
#define _GNU_SOURCE
#include "api.h"

static subject_state key;

static void copy(const struct message *m)
{
    memcpy(&key, m->state, sizeof key);
    memcpy(m->spare[0], m->in, (size_t)m->n);
}

BASE("wiping", kept, , copy(m), DIRECT(m->out, m->spare[0], m->nonce, &key));
LEVEL("wiping", wiped, , copy(m),
      (DIRECT(m->out, m->spare[0], m->nonce, &key), explicit_bzero(&key, sizeof key),
       explicit_bzero(m->spare[0], (size_t)m->n)));
