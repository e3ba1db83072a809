/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AUTH_TYPES_H
#define CRYPTO_AUTH_TYPES_H

#include "crypto_hash.h"

#ifdef crypto_hash_INCREMENTAL
#define crypto_auth_INCREMENTAL 1
typedef struct {
    crypto_hash_state inner, outer;
} crypto_auth_state;
#endif

#endif
