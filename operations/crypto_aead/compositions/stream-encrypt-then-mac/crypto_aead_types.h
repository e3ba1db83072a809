/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AEAD_TYPES_H
#define CRYPTO_AEAD_TYPES_H

#include "../_encrypt-then-mac/mac_key.h"

#include "../_encrypt-then-mac/stream_key.h"

#endif
