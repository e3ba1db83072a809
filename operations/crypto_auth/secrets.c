/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The secrets of crypto_auth: those of an authenticator that takes no nonce. */
#include "crypto_auth.h"

#define TAG crypto_auth_BYTES
#define KEY crypto_auth_KEYBYTES
#define AUTH crypto_auth
#define AUTH_VERIFY crypto_auth_verify
#include "secrets_mac.h"
