/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* OpenSSL's signatures through EVP; primitives/crypto_sign/_library/api.h describes what each
 * family provides.
 *
 *   PROVIDER_DSA      donald*        PROVIDER_EC = "curve"       ecdonald*
 *   PROVIDER_RONALD   ronald*        PROVIDER_PSS                rsa-pss-*
 *   PROVIDER_EDWARDS = "ED25519" */
#include "crypto_sign.h"

#include "../parameters.h"
#include "../random.h"

#if defined(PROVIDER_DSA)
#include "dsa.h"
#elif defined(PROVIDER_EC)
#include "ec.h"
#elif defined(PROVIDER_RONALD)
#include "ronald.h"
#elif defined(PROVIDER_PSS)
#include "pss.h"
#else
#include "edwards.h"
#endif

#define library_random random_visible
#define family_release_public family_release
#define family_release_secret family_release
#include "../../../primitives/crypto_sign/_library/api.h"
