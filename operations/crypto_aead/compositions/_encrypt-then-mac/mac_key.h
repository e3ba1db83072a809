/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The authenticator's part of the expanded key. */
#ifndef MAC_KEY_H
#define MAC_KEY_H

#include <stdint.h>

#include "crypto_auth.h"

typedef struct {
#ifdef crypto_auth_INCREMENTAL
    crypto_auth_state started; /* a copy of it goes on with each packet */
#else
    uint8_t key[crypto_auth_KEYBYTES];
#endif
} mac_key;

#endif
