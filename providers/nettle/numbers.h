/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PROVIDER_NUMBERS_H
#define PROVIDER_NUMBERS_H

/* Converts byte strings to numbers of GMP, which nettle's public-key functions use. randombytes()
 * with nettle's interface; and the system's generator for blinding, which changes no result. */

#include <gmp.h>
#include <nettle/bignum.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "randombytes.h"

static inline void visible(void *context, size_t length, uint8_t *out)
{
    (void)context;
    randombytes(out, length);
}

static inline void blinding(void *context, size_t length, uint8_t *out)
{
    (void)context;
    while (length > 0) {
        const ssize_t given = getrandom(out, length, 0);
        if (given <= 0) abort();
        out += given;
        length -= (size_t)given;
    }
}

/* Returns nonzero if it does not fit. */
static inline int number_write(unsigned char *out, size_t length, const mpz_t number)
{
    if (mpz_sgn(number) < 0 || mpz_sizeinbase(number, 2) > 8 * length) return -1;
    nettle_mpz_get_str_256(length, out, number);
    return 0;
}

static inline void number_read(mpz_t number, const unsigned char *bytes, size_t length)
{
    nettle_mpz_set_str_256_u(number, length, bytes);
}

#endif
