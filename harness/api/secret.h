/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SECRET_H
#define SECRET_H

/* Which bytes are secret, for the checker of constant time: valgrind's memcheck
 * follows what is marked as if it were uninitialised, and reports every branch
 * and every address that depends on it (the method of TIMECOP, Langley's
 * ctgrind before it). Without CYCLOMETER_CONSTANT_TIME both do nothing. */

#include <stddef.h>

#include "harness.h"

#ifdef CYCLOMETER_CONSTANT_TIME
#include <valgrind/memcheck.h>
#define secret_mark(p, n) ((void)VALGRIND_MAKE_MEM_UNDEFINED((p), (n)))
#define secret_clear(p, n) ((void)VALGRIND_MAKE_MEM_DEFINED((p), (n)))
#else
#define secret_mark(p, n) ((void)(p), (void)(n))
#define secret_clear(p, n) ((void)(p), (void)(n))
#endif

/* Random bytes that are secret from the start. */
static inline void secret_fill(void *p, size_t n)
{
    prng_fill(p, n);
    secret_mark(p, n);
}

#endif
