/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The secrets of a foreign crypto_onetimeauth: those of an authenticator that takes no nonce. */
#include "crypto_onetimeauth.h"

#define TAG crypto_onetimeauth_BYTES
#define KEY crypto_onetimeauth_KEYBYTES
#define AUTH crypto_onetimeauth
#define AUTH_VERIFY crypto_onetimeauth_verify
#include "secrets_mac.h"
