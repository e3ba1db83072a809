/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef crypto_declassify_h
#define crypto_declassify_h

/* Declares x[0 .. xlen - 1] as public from here on. Does nothing unless the program runs under the
 * constant-time check. */
#ifdef CYCLOMETER_CONSTANT_TIME
#include <valgrind/memcheck.h>
static inline __attribute__((unused)) void crypto_declassify(const void *x_, unsigned long long xlen_)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(x_, xlen_);
}
#else
static inline __attribute__((unused)) void crypto_declassify(const void *x_, unsigned long long xlen_)
{
    (void)x_;
    (void)xlen_;
}
#endif

#endif
