/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <wolfssl/options.h>
#include <wolfssl/wolfcrypt/aes.h>

#define crypto_blockcipher_RELEASES 1

/* The key schedule and the chaining value of a mode, for each direction. */
typedef struct {
    Aes encrypt, decrypt;
} crypto_blockcipher_key;
