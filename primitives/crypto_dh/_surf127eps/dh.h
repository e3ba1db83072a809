/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* crypto_dh over point_multiple of the includer.  What a public key must be:
 * three coordinates below p, none 0, on the surface.  The twist is not told
 * apart; its order has no factor above 2^127, so a key used with many peers is
 * not as strong as the surface. */

#include "crypto_dh.h"
#include "randombytes.h"

int crypto_dh_keypair(unsigned char *pk, unsigned char *sk)
{
    static const point base = {FE(1, 0, 0, 0), FE(1, 0, 0, 0), BASE_Z, BASE_T};
    point r;
    randombytes(sk, 32);
    sk[0] &= 0xfe;
    r = point_multiple(sk, &base);
    return point_tobytes(pk, &r);
}

int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    point p, r;
    if (point_frombytes(&p, pk) != 0) return -1;
    r = point_multiple(sk, &p);
    return point_tobytes(s, &r);
}
