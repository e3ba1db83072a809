/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The part of the expanded key that belongs to the authenticator. */
#ifndef MAC_KEY_H
#define MAC_KEY_H

#include <stdint.h>

#include "crypto_auth.h"

typedef struct {
#ifdef crypto_auth_INCREMENTAL
    crypto_auth_state started; /* each packet continues from a copy of it */
#else
    uint8_t key[crypto_auth_KEYBYTES];
#endif
} mac_key;

#endif
