/* SPDX-License-Identifier: MIT OR Apache-2.0 */
typedef struct {
    uint8_t key[32];
} crypto_stream_key;

typedef struct {
    const crypto_stream_key *key;
    uint8_t nonce[12], rest[48];
} crypto_stream_state;
