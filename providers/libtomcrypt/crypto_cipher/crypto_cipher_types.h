/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <tomcrypt.h>

#define crypto_cipher_RELEASES 1

/* The key's schedule and the message's chain together; each message sets the latter. */
typedef struct {
    PROVIDER_STATE state;
} crypto_cipher_key;
