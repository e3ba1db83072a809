/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <wolfssl/options.h>
#include <wolfssl/wolfcrypt/chacha.h>

typedef struct {
    ChaCha context;
} crypto_stream_key;

typedef struct {
    ChaCha context;
} crypto_stream_state;
