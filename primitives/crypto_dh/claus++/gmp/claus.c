/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Diffie-Hellman modulo the prime of claus with GMP, all numbers little-endian: sk = pk || exponent. */
#include "crypto_dh.h"

#include <gmp.h>
#include <string.h>

#include "../../_claus/domain.h"
#include "randombytes.h"

static void number_read(mpz_t number, const unsigned char *bytes)
{
    mpz_import(number, CLAUS_BYTES, -1, 1, 1, 0, bytes);
}

static void number_write(unsigned char *bytes, const mpz_t number)
{
    memset(bytes, 0, CLAUS_BYTES);
    mpz_export(bytes, NULL, -1, 1, 1, 0, number);
}

/* out = base^exponent mod p, in a time that does not tell the exponent; not 0 unless 1 < base < p - 1. */
static int power(unsigned char *out, const mpz_t base, const unsigned char *exponent)
{
    mpz_t p, most, e, result;
    mpz_init_set_str(p, CLAUS_P, 16);
    mpz_init(most);
    mpz_sub_ui(most, p, 1);
    const int group = mpz_cmp_ui(base, 1) > 0 && mpz_cmp(base, most) < 0;
    mpz_init(e);
    mpz_init(result);
    number_read(e, exponent);
    const int possible = group && mpz_sgn(e) > 0; /* mpz_powm_sec wants that */
    if (possible) {
        mpz_powm_sec(result, base, e, p);
        number_write(out, result);
    }
    mpz_clears(p, most, e, result, NULL);
    return possible ? 0 : -1;
}

int crypto_dh_keypair(unsigned char *pk, unsigned char *sk)
{
    mpz_t g;
    mpz_init_set_ui(g, CLAUS_G);
    randombytes(sk + CLAUS_BYTES, CLAUS_BYTES);
    const int failed = power(pk, g, sk + CLAUS_BYTES);
    mpz_clear(g);
    if (!failed) memcpy(sk, pk, CLAUS_BYTES);
    return failed;
}

int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    mpz_t base;
    mpz_init(base);
    number_read(base, pk);
    const int failed = power(s, base, sk + CLAUS_BYTES);
    mpz_clear(base);
    return failed;
}
