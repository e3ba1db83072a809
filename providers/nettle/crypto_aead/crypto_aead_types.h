/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <nettle/aes.h>
#include <nettle/chacha-poly1305.h>
#include <nettle/eax.h>
#include <nettle/gcm.h>

/* PROVIDER_CIPHER is aes128 or aes256 for modes of AES. */
#define PROVIDER_GLUE(a, b, c) a##b##c
#define PROVIDER_NAME(a, b, c) PROVIDER_GLUE(a, b, c)

typedef struct {
#ifdef PROVIDER_CIPHER
    struct PROVIDER_NAME(, PROVIDER_CIPHER, _ctx) cipher;
#else
    struct chacha_poly1305_ctx whole;
#endif
#ifdef PROVIDER_GCM
    struct gcm_key mode;
#elif defined(PROVIDER_EAX)
    struct eax_key mode;
#endif
} crypto_aead_key;
