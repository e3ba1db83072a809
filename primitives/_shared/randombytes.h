/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RANDOMBYTES_H
#define RANDOMBYTES_H

/* The one source of random bytes of an implementation.
 *
 * The harness gives them (harness/runtime/randombytes.c): deterministic, so that two calls
 * with the same bytes give the same result; from a vector's `..._random` field,
 * so that published keys and signatures can be reproduced; and counted, so that
 * tables can say how many bytes a key costs.  What bytes are drawn, and in which
 * order, is therefore part of an implementation's behaviour: draw exactly what
 * the scheme's description says, when it says.  The cut into calls is free:
 * 4 + 4 bytes are the same as 8.
 *
 * All values are equally likely.  Never fails; xlen may be 0. */
void randombytes(unsigned char *x, unsigned long long xlen);

#endif
