/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <wolfssl/options.h>
#include <wolfssl/wolfcrypt/aes.h>

#define crypto_aead_RELEASES 1

/* The functions of ChaCha20-Poly1305 take the key itself. */
typedef struct {
#ifdef PROVIDER_MODE
    Aes aes;
#else
    uint8_t key[crypto_aead_KEYBYTES];
#endif
} crypto_aead_key;
