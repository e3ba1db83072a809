/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef HC_EXPAND_H
#define HC_EXPAND_H

/* The expansion functions of HC-128 and HC-256 (Wu 2004, section 2.2).  They
 * are the two small sigma functions of SHA-256. */

#include "bytes.h"

/* An empty instruction that needs x: the compiler neither reorders a sum across
 * it nor packs it into vectors.  For critical paths. */
#ifdef __GNUC__
#define IN_REGISTER(x) __asm__("" : "+r"(x))
#else
#define IN_REGISTER(x) (void)(x)
#endif

static inline uint32_t f1(uint32_t x)
{
    return rotr32(x, 7) ^ rotr32(x, 18) ^ (x >> 3);
}

static inline uint32_t f2(uint32_t x)
{
    return rotr32(x, 17) ^ rotr32(x, 19) ^ (x >> 10);
}

#endif
