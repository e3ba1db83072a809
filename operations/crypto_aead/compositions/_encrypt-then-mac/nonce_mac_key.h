/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The part of the expanded key that belongs to an authenticator with a nonce. */
#ifndef NONCE_MAC_KEY_H
#define NONCE_MAC_KEY_H

#include <stdint.h>

#include "crypto_nonceauth.h"

#ifdef crypto_nonceauth_KEYED
typedef crypto_nonceauth_key mac_key;
#else
typedef struct {
    uint8_t key[crypto_nonceauth_KEYBYTES];
} mac_key;
#endif

#ifdef crypto_nonceauth_RELEASES
#define crypto_aead_RELEASES 1
#endif

#endif
