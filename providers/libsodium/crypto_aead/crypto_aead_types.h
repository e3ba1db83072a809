/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <sodium.h> is not included, because its crypto_* names clash with ours. */
#include <stddef.h>
#include <sodium/crypto_aead_aes256gcm.h>
#include <sodium/crypto_aead_chacha20poly1305.h>
#include <sodium/crypto_aead_xchacha20poly1305.h>

#if PROVIDER_STATE
typedef crypto_aead_aes256gcm_state crypto_aead_key; /* its precomputation interface */
#else
typedef struct {
    uint8_t key[crypto_aead_KEYBYTES];
} crypto_aead_key;
#endif
