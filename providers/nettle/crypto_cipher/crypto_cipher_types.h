/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <nettle/aes.h>
#include <nettle/serpent.h>
#include <nettle/twofish.h>

typedef struct {
    PROVIDER_CONTEXT encrypt;
#ifdef PROVIDER_CBC
    PROVIDER_CONTEXT decrypt;
#endif
} crypto_cipher_key;
