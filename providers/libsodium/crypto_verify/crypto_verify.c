/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libsodium's comparisons. */
#include "crypto_verify.h"

#include <sodium/crypto_verify_16.h>
#include <sodium/crypto_verify_32.h>
#include <sodium/crypto_verify_64.h>

int crypto_verify(const unsigned char *x, const unsigned char *y)
{
    return PROVIDER(x, y);
}
