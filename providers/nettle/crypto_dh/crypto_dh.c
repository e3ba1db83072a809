/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* nettle's Diffie-Hellman: PROVIDER_MONTGOMERY, the prefix of X25519 or X448, where an all-zero
 * secret is rejected, or PROVIDER_EC, little-endian, pk = x || y, shared = x. */
#include "crypto_dh.h"

#include <nettle/curve25519.h>
#include <nettle/curve448.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecc.h>

#include "../numbers.h"

#ifdef PROVIDER_MONTGOMERY
#define NAMED_(prefix, what) prefix##_##what
#define NAMED(prefix, what) NAMED_(prefix, what)

int crypto_dh_keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk, crypto_dh_SECRETKEYBYTES);
    NAMED(PROVIDER_MONTGOMERY, mul_g)(pk, sk);
    return 0;
}

int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    unsigned char any = 0;
    NAMED(PROVIDER_MONTGOMERY, mul)(s, sk, pk);
    for (size_t i = 0; i < crypto_dh_BYTES; i++) any |= s[i];
    return any ? 0 : -1;
}
#else
#define WIDTH crypto_dh_SECRETKEYBYTES

static void point_write(unsigned char *x_bytes, unsigned char *y_bytes, const struct ecc_point *point)
{
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    ecc_point_get(point, x, y);
    memset(x_bytes, 0, WIDTH);
    mpz_export(x_bytes, NULL, -1, 1, 1, 0, x);
    if (y_bytes) {
        memset(y_bytes, 0, WIDTH);
        mpz_export(y_bytes, NULL, -1, 1, 1, 0, y);
    }
    mpz_clears(x, y, NULL);
}

int crypto_dh_keypair(unsigned char *pk, unsigned char *sk)
{
    struct ecc_point point;
    struct ecc_scalar scalar;
    mpz_t number;
    mpz_init(number);
    ecc_point_init(&point, PROVIDER_EC());
    ecc_scalar_init(&scalar, PROVIDER_EC());
    ecc_scalar_random(&scalar, NULL, visible);
    ecc_point_mul_g(&point, &scalar);
    point_write(pk, pk + WIDTH, &point);
    ecc_scalar_get(&scalar, number);
    memset(sk, 0, WIDTH);
    mpz_export(sk, NULL, -1, 1, 1, 0, number);
    ecc_point_clear(&point);
    ecc_scalar_clear(&scalar);
    mpz_clear(number);
    return 0;
}

int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    struct ecc_point peer, product;
    struct ecc_scalar scalar;
    mpz_t x, y, d;
    mpz_inits(x, y, d, NULL);
    mpz_import(x, WIDTH, -1, 1, 1, 0, pk);
    mpz_import(y, WIDTH, -1, 1, 1, 0, pk + WIDTH);
    mpz_import(d, WIDTH, -1, 1, 1, 0, sk);
    ecc_point_init(&peer, PROVIDER_EC());
    ecc_point_init(&product, PROVIDER_EC());
    ecc_scalar_init(&scalar, PROVIDER_EC());
    const int usable = ecc_point_set(&peer, x, y) && ecc_scalar_set(&scalar, d);
    if (usable) {
        ecc_point_mul(&product, &scalar, &peer);
        point_write(s, NULL, &product);
    }
    ecc_point_clear(&peer);
    ecc_point_clear(&product);
    ecc_scalar_clear(&scalar);
    mpz_clears(x, y, d, NULL);
    return usable ? 0 : -1;
}
#endif
