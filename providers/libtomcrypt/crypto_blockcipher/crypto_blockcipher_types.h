/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <tomcrypt.h>

/* The library's type for the scheduled key of any block cipher, which has the size of the largest. */
typedef struct {
    symmetric_key scheduled;
} crypto_blockcipher_key;
