/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The expanded key of every mode is that of the block cipher. */
#include "crypto_blockcipher.h"

typedef struct {
    crypto_blockcipher_key k;
} crypto_cipher_key;

#ifdef crypto_blockcipher_RELEASES
#define crypto_cipher_RELEASES 1
#endif
