/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Whose the context is: the thread's own, or shared by all threads under a lock, which nobody else holds here. */
#include "api.h"

#include <pthread.h>

static _Thread_local struct {
    subject_state *state;
} own;

static struct {
    pthread_mutex_t lock;
    subject_state *state;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __attribute__((noinline)) void call_locked(const struct message *m)
{
    (void)pthread_mutex_lock(&shared.lock);
    DIRECT(m->out, m->in, m->nonce, shared.state);
    (void)pthread_mutex_unlock(&shared.lock);
}

static __attribute__((noinline)) void call_own(const struct message *m)
{
    DIRECT(m->out, m->in, m->nonce, own.state);
}

BASE("context", per_thread, own.state = m->state, , call_own(m));
LEVEL("context", locked, shared.state = m->state, , call_locked(m));
