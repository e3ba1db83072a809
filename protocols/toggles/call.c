/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How the function is called: by name, through a pointer, through a table by the number of the negotiated algorithm, in
 * a shared library. inlined.c has one more level. */
#include "api.h"

#define ALGORITHMS 16

typedef __typeof__(SUBJECT_FUNCTION) function;

static function *volatile chosen = SUBJECT_FUNCTION;
static function *table[ALGORITHMS] = {[0 ... ALGORITHMS - 1] = SUBJECT_FUNCTION};
static volatile unsigned negotiated = 5;

PLAIN_BASE("call", direct);
LEVEL("call", pointer, , , (void)SUBJECT_CALL(chosen, m->out, m->in, m->n, m->nonce, m->state));
LEVEL("call", table, , , (void)SUBJECT_CALL(table[negotiated % ALGORITHMS], m->out, m->in, m->n, m->nonce, m->state));

#ifdef HAS_LIBRARY /* a shared library with the primitive could be linked */
function library_function;
LEVEL("call", library, , , (void)SUBJECT_CALL(library_function, m->out, m->in, m->n, m->nonce, m->state));
#endif
