/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PQCLEAN_RANDOMBYTES_H
#define PQCLEAN_RANDOMBYTES_H

#include <stddef.h>
#include <stdint.h>

/* The harness's randombytes() under another name, since `randombytes` is a macro with another type
 * here. */
void harness_randombytes(unsigned char *x, unsigned long long xlen) __asm__("randombytes");

#define randombytes PQCLEAN_randombytes
static inline __attribute__((unused)) int PQCLEAN_randombytes(uint8_t *output, size_t n)
{
    harness_randombytes(output, n);
    return 0;
}

#endif
