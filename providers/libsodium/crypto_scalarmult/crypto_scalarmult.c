/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libsodium's X25519; it rejects points of small order. <sodium.h> is not included, because its
 * crypto_* names clash with ours. */
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
