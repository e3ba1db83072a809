/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <tomcrypt.h>

typedef struct {
#ifdef PROVIDER_RC4
    uint8_t key[crypto_stream_KEYBYTES];
#else
    chacha_state state;
#endif
} crypto_stream_key;

typedef struct {
#ifdef PROVIDER_RC4
    rc4_state state;
#else
    chacha_state state;
#endif
} crypto_stream_state;
