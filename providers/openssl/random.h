/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PROVIDER_RANDOM_H
#define PROVIDER_RANDOM_H

/* OpenSSL's random bytes come from randombytes() between random_visible(1) and random_visible(0),
 * so that keys and signatures are reproducible and their random bytes are counted; otherwise they
 * come from its own generator, for blinding, which changes no result. As for all implementations,
 * the timings of key pairs and signatures do not include the cost of a library's generator. */

#define OPENSSL_SUPPRESS_DEPRECATED /* RAND_METHOD is deprecated, but the alternative is far longer */
#include <openssl/rand.h>

#include "randombytes.h"

static int random_is_visible;

static int random_bytes(unsigned char *out, int length)
{
    if (!random_is_visible) return RAND_OpenSSL()->bytes(out, length);
    randombytes(out, (unsigned long long)length);
    return 1;
}

static int random_status(void)
{
    return 1;
}

static void random_visible(int yes)
{
    static const RAND_METHOD method = {.bytes = random_bytes, .pseudorand = random_bytes, .status = random_status};
    static int chosen;
    random_is_visible = yes;
    if (!chosen) chosen = RAND_set_rand_method(&method);
}

#endif
