/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SECRET_H
#define SECRET_H

/* Marks bytes as secret for the constant-time check: valgrind's memcheck treats
 * them as uninitialised and reports every branch and every address that depends
 * on them (the method of TIMECOP and, before it, Langley's ctgrind). Without
 * CYCLOMETER_CONSTANT_TIME both macros do nothing. */

#include <stddef.h>

#include "harness.h"

/* While it is 1, nothing is marked: the checker then follows something else (verification.h). */
extern int secrets_unmarked;

#ifdef CYCLOMETER_CONSTANT_TIME
#include <valgrind/memcheck.h>
#define secret_mark(p, n) ((void)(secrets_unmarked || VALGRIND_MAKE_MEM_UNDEFINED((p), (n))))
#define secret_clear(p, n) ((void)VALGRIND_MAKE_MEM_DEFINED((p), (n)))
#else
#define secret_mark(p, n) ((void)(p), (void)(n))
#define secret_clear(p, n) ((void)(p), (void)(n))
#endif

/* Fills `n` bytes from the test generator and marks them as secret. */
static inline void secret_fill(void *p, size_t n)
{
    prng_fill(p, n);
    secret_mark(p, n);
}

#endif
