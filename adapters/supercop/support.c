/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What SUPERCOP gives an implementation besides headers. */
#define crypto_declassify declassify
#include "crypto_declassify.h"
#undef crypto_declassify
#include "kernelrandombytes.h"
#include "randombytes.h"

/* The header's is inline; this one is for sources that call it undeclared. */
void crypto_declassify(const void *x, unsigned long long xlen);

void crypto_declassify(const void *x, unsigned long long xlen)
{
    declassify(x, xlen);
}

/* As deterministic as randombytes: a check that repeats is worth more than one
 * that surprises, and nothing here guards a secret. */
void kernelrandombytes(unsigned char *x, unsigned long long xlen)
{
    randombytes(x, xlen);
}
