/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../../primitives/crypto_sign/_library/types.h"
#ifdef PROVIDER_PSS
/* OpenSSL draws the salt between bytes for blinding, which differ when a key is reused. */
#define crypto_sign_OWN_RANDOM 1
#endif
