/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../../primitives/crypto_sign/_library/types.h"
#ifdef PROVIDER_PSS
/* The salt is drawn by OpenSSL between bytes that blind, and those are not the same for a key used again. */
#define crypto_sign_OWN_RANDOM 1
#endif
