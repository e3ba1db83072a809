/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Functions that SUPERCOP provides to implementations. */
#define crypto_declassify declassify
#include "crypto_declassify.h"
#undef crypto_declassify
#include "kernelrandombytes.h"
#include "randombytes.h"

/* The one in the header is inline; this one is for sources that call it without a declaration. */
void crypto_declassify(const void *x, unsigned long long xlen);

void crypto_declassify(const void *x, unsigned long long xlen)
{
    declassify(x, xlen);
}

/* Deterministic like randombytes(), so that checks are reproducible; it protects no secret. */
void kernelrandombytes(unsigned char *x, unsigned long long xlen)
{
    randombytes(x, xlen);
}
