/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "crypto_auth.h"

#define AUTH_NAME "crypto_auth"
#define AUTH crypto_auth
#define AUTH_VERIFY crypto_auth_verify
#define AUTH_BYTES crypto_auth_BYTES
#define AUTH_KEYBYTES crypto_auth_KEYBYTES
#include "authenticator.h"
