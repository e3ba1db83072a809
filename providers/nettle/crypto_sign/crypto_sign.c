/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* nettle's signatures; primitives/crypto_sign/_library/api.h describes what each family provides.
 *
 *   PROVIDER_DSA       donald*    PROVIDER_EC = nettle_get_...    ecdonald*
 *   PROVIDER_RONALD    ronald*    PROVIDER_PSS                    rsa-pss-*
 *   PROVIDER_EDWARDS = prefix of the functions */
#include "crypto_sign.h"

#include "../numbers.h"

#if defined(PROVIDER_EDWARDS)
#include "edwards.h"
#elif defined(PROVIDER_DSA) || defined(PROVIDER_EC)
#include "pair.h"
#else
#include "rsa.h"
#endif

#include "../../../primitives/crypto_sign/_library/api.h"
