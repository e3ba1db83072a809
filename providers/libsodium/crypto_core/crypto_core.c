/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libsodium's core functions. */
#include "crypto_core.h"

#include <sodium/crypto_core_hsalsa20.h>
#include <sodium/crypto_core_salsa20.h>

int crypto_core(unsigned char *out, const unsigned char *in, const unsigned char *k, const unsigned char *c)
{
    return PROVIDER(out, in, k, c);
}
