/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What SUPERCOP gives an implementation besides headers. */
#include "kernelrandombytes.h"
#include "randombytes.h"

/* As deterministic as randombytes: a check that repeats is worth more than one
 * that surprises, and nothing here guards a secret. */
void kernelrandombytes(unsigned char *x, unsigned long long xlen)
{
    randombytes(x, xlen);
}
