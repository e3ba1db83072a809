/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <tomcrypt.h>

/* What the library can keep of a key: for EAX and OCB3 nothing but the key itself. */
typedef struct {
#if defined(PROVIDER_GCM)
    gcm_state state;
#elif defined(PROVIDER_CCM)
    symmetric_key scheduled;
#else
    uint8_t key[crypto_aead_KEYBYTES];
#endif
} crypto_aead_key;
