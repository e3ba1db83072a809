/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* nettle's X25519. The multiple of a point of small order, zero, is rejected as in the other
 * libraries. */
#include "crypto_scalarmult.h"

#include <nettle/curve25519.h>
#include <stddef.h>

int crypto_scalarmult(unsigned char *q, const unsigned char *n, const unsigned char *p)
{
    unsigned char any = 0;
    nettle_curve25519_mul(q, n, p);
    for (size_t i = 0; i < crypto_scalarmult_BYTES; i++) any |= q[i];
    return any ? 0 : -1;
}

int crypto_scalarmult_base(unsigned char *q, const unsigned char *n)
{
    nettle_curve25519_mul_g(q, n);
    return 0;
}
