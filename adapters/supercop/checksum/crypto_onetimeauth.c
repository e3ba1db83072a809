/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "crypto_onetimeauth.h"

#define AUTH_NAME "crypto_onetimeauth"
#define AUTH crypto_onetimeauth
#define AUTH_VERIFY crypto_onetimeauth_verify
#define AUTH_BYTES crypto_onetimeauth_BYTES
#define AUTH_KEYBYTES crypto_onetimeauth_KEYBYTES
#include "authenticator.h"
