/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Calls with similar inputs: check.c includes this after `expand_key` and what packets are made of. */

#include "check_kept.h"

#define SIMILAR_TEXT 64
#define SIMILAR_AD (crypto_aead_ASSOCIATEDDATA ? 16 : 0)

/* The verdict and, if it is accepted, the plaintext with its padding. */
static uint8_t answered[1 + crypto_aead_PADDEDBYTES(SIMILAR_TEXT) + crypto_aead_ROOM];

static void encrypt_similar(void)
{
    if (crypto_aead_encrypt(packet, plain, SIMILAR_TEXT, ad, SIMILAR_AD, nonce, expanded))
        harness_fail(VALID_REJECTED, "encrypt rejects valid input");
}

static void encrypt_with_similar_key(void)
{
    expand_key();
    encrypt_similar();
}

static void decrypt_similar(void)
{
    memset(answered, 0, sizeof answered);
    if (!verdict(crypto_aead_decrypt(answered + 1, packet, PACKET(SIMILAR_TEXT), ad, SIMILAR_AD, nonce, expanded)))
        answered[0] = 1;
    else
        memset(answered, 0, sizeof answered);
}

static void decrypt_with_similar_key(void)
{
    expand_key();
    decrypt_similar();
}

static void fixed_inputs(void)
{
    memset(key, 0x5c, crypto_aead_KEYBYTES), memset(nonce, 1, crypto_aead_NONCEBYTES);
    memset(plain, 0x36, SIMILAR_TEXT), memset(ad, 2, SIMILAR_AD);
    expand_key();
}

static void similar_packets(void)
{
    const size_t bytes = PACKET(SIMILAR_TEXT);
    EXPECT_NOTHING_KEPT("key", key, crypto_aead_KEYBYTES, encrypt_with_similar_key, packet, bytes);
    EXPECT_NOTHING_KEPT("nonce", nonce, crypto_aead_NONCEBYTES, encrypt_similar, packet, bytes);
    EXPECT_NOTHING_KEPT("plaintext", plain, SIMILAR_TEXT, encrypt_similar, packet, bytes);
    EXPECT_NOTHING_KEPT("string of associated data", ad, SIMILAR_AD, encrypt_similar, packet, bytes);
    encrypt_with_similar_key();
    EXPECT_NOTHING_KEPT("key to decrypt with", key, crypto_aead_KEYBYTES, decrypt_with_similar_key, answered,
                        sizeof answered);
    EXPECT_NOTHING_KEPT("nonce to decrypt with", nonce, crypto_aead_NONCEBYTES, decrypt_similar, answered,
                        sizeof answered);
    EXPECT_NOTHING_KEPT("packet", packet, bytes, decrypt_similar, answered, sizeof answered);
    EXPECT_NOTHING_KEPT("string of associated data to decrypt with", ad, SIMILAR_AD, decrypt_similar, answered,
                        sizeof answered);
}
