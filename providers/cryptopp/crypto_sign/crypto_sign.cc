/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Crypto++'s signatures; primitives/crypto_sign/_library/api.h describes what each family
 * provides.
 *
 *   PROVIDER_DSA      donald*        PROVIDER_EC = ECP or EC2N, PROVIDER_CURVE = name   ecdonald*
 *   PROVIDER_RONALD   ronald*        PROVIDER_PSS   rsa-pss-*
 *
 * Exceptions do not propagate: an invalid key or signature is rejected. */
extern "C" {
#include "crypto_sign.h"
}

#include <cstring>

#if defined(PROVIDER_DSA)
#include "dsa.h"
#elif defined(PROVIDER_CURVE)
#include "ecdsa.h"
#elif defined(PROVIDER_RONALD)
#include "ronald.h"
#else
#include "pss.h"
#endif

#include "../../../primitives/crypto_sign/_library/objects.h"

extern "C" {
#include "../../../primitives/crypto_sign/_library/api.h"
}
