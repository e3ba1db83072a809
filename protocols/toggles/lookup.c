/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An algorithm that is known by its name: found once, or by each call among 16. */
#include "api.h"

#define ALGORITHMS 16

typedef __typeof__(SUBJECT_FUNCTION) function;

static struct algorithm {
    char name[16];
    function *call;
} algorithms[ALGORITHMS];

static volatile unsigned wanted = 11;
static char name[16];

static const struct algorithm *register_all(void)
{
    for (unsigned i = 0; i < ALGORITHMS; i++) {
        const char letters[] = {'c', 'i', 'p', 'h', 'e', 'r', '-', (char)('a' + i), 0};
        memcpy(algorithms[i].name, letters, sizeof letters);
        algorithms[i].call = SUBJECT_FUNCTION;
    }
    memcpy(name, algorithms[wanted].name, sizeof name);
    return &algorithms[wanted];
}

static __attribute__((noinline)) const struct algorithm *find(const char *by_name)
{
    for (unsigned i = 0; i < ALGORITHMS; i++)
        if (!strcmp(algorithms[i].name, by_name)) return &algorithms[i];
    return NULL;
}

BASE("lookup", once, const struct algorithm *volatile found = register_all(), ,
     (void)SUBJECT_CALL(found->call, m->out, m->in, m->n, m->nonce, m->state));
LEVEL("lookup", each_call, (void)register_all(), ,
      (void)SUBJECT_CALL(find(name)->call, m->out, m->in, m->n, m->nonce, m->state));
