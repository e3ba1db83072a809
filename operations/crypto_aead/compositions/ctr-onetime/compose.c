/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A block cipher in counter mode and a one-time authenticator, whose key is the encryption of the
 * first two counters. */
#include "crypto_aead.h"

#define TAG crypto_aead_TAGBYTES
#define SLACK 16

#include "../_encrypt-then-mac/counter.h"

static int one_time_key(uint8_t *rs, const uint8_t *nonce, const crypto_cipher_key *key)
{
    memset(rs, 0, 32);
    return apply_from(0, rs, rs, 32, nonce, key);
}

static int encrypt_text(uint8_t *rs, uint8_t *packet, const uint8_t *in, uint64_t length, const uint8_t *nonce,
                        const crypto_cipher_key *key)
{
    if (one_time_key(rs, nonce, key)) return -1;
    return apply_from(2, packet + TAG, in, length, nonce, key);
}

static int decrypt_text(uint8_t *out, uint8_t *text, uint64_t length, const uint8_t *nonce,
                        const crypto_cipher_key *key)
{
    return apply_from(2, out, text, length, nonce, key);
}

#include "../_onetime/onetime.h"
