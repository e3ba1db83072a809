/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <tomcrypt.h>

/* What the library can precompute for a key: nothing for EAX and OCB3, so the key itself is
 * stored. */
typedef struct {
#if defined(PROVIDER_GCM)
    gcm_state state;
#elif defined(PROVIDER_CCM)
    symmetric_key scheduled;
#else
    uint8_t key[crypto_aead_KEYBYTES];
#endif
} crypto_aead_key;
