/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef crypto_declassify_h
#define crypto_declassify_h

/* Says that x[0 .. xlen - 1] is public from here on: does nothing, unless the
 * program runs under a checker that follows secrets. */
#ifdef CYCLOMETER_CONSTANT_TIME
#include <valgrind/memcheck.h>
static inline __attribute__((unused)) void crypto_declassify(const void *x, unsigned long long xlen)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(x, xlen);
}
#else
static inline __attribute__((unused)) void crypto_declassify(const void *x, unsigned long long xlen)
{
    (void)x;
    (void)xlen;
}
#endif

#endif
