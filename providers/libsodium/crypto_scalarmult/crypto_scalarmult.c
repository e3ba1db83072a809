/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libsodium's X25519; it refuses points of small order. Not <sodium.h>, whose
 * crypto_* names are ours too. */
#include "crypto_scalarmult.h"

#include <sodium/core.h>
#include <sodium/crypto_scalarmult_curve25519.h>

int crypto_scalarmult(unsigned char *q, const unsigned char *n, const unsigned char *p)
{
    if (sodium_init() < 0) return -1;
    return crypto_scalarmult_curve25519(q, n, p);
}

int crypto_scalarmult_base(unsigned char *q, const unsigned char *n)
{
    if (sodium_init() < 0) return -1;
    return crypto_scalarmult_curve25519_base(q, n);
}
