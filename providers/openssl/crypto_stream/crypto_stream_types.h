/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifdef PROVIDER_RC4
#include <openssl/rc4.h>

typedef struct {
    uint8_t key[crypto_stream_KEYBYTES];
} crypto_stream_key;

typedef struct {
    RC4_KEY rc4;
} crypto_stream_state;

#else

/* One context on the heap with the key set. */
typedef struct {
    void *context;
} crypto_stream_key;

typedef struct {
    const crypto_stream_key *key;
    uint8_t block[64]; /* counter block, then the rest of the first keystream block */
    uint8_t nonce[16];
} crypto_stream_state;

#endif
