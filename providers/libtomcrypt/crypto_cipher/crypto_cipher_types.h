/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <tomcrypt.h>

#define crypto_cipher_RELEASES 1

/* The key schedule together with the chaining value, which each message sets. */
typedef struct {
    PROVIDER_STATE state;
} crypto_cipher_key;
