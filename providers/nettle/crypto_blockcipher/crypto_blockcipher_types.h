/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <nettle/aes.h>
#include <nettle/serpent.h>
#include <nettle/twofish.h>

/* nettle's AES has one context per direction; the other ciphers have one for both. */
typedef struct {
    PROVIDER_CONTEXT encrypt;
#ifdef PROVIDER_INVERSE
    PROVIDER_CONTEXT decrypt;
#endif
    uint32_t which; /* of the key lengths */
} crypto_blockcipher_key;
