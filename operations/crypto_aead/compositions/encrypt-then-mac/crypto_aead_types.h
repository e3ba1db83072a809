/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AEAD_TYPES_H
#define CRYPTO_AEAD_TYPES_H

#include "../_encrypt-then-mac/mac_key.h"

#include "../_encrypt-then-mac/cipher_key.h"

#if crypto_cipher_BLOCKBYTES > 1 /* padding as in RFC 5652, section 6.3 */
#define crypto_aead_BLOCKBYTES crypto_cipher_BLOCKBYTES
#endif

#endif
