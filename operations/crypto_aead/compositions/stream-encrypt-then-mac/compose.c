/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Encrypts with the keystream from its first byte on, then authenticates with any crypto_auth as
 * in RFC 7518, section 5.2. */
#include "../_encrypt-then-mac/mac.h"
#include "../_encrypt-then-mac/stream.h"
#include "../_encrypt-then-mac/seal.h"
