/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <tomcrypt.h>

/* The library's type for any block cipher's scheduled key, as large as the largest. */
typedef struct {
    symmetric_key scheduled;
} crypto_blockcipher_key;
