/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A stream cipher, then any crypto_nonceauth. */
#include "../_encrypt-then-mac/nonce_mac.h"
#include "../_encrypt-then-mac/stream.h"
#include "../_encrypt-then-mac/seal.h"
