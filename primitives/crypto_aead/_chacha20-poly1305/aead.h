/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHACHA20_POLY1305_AEAD_H
#define CHACHA20_POLY1305_AEAD_H

/* AEAD_CHACHA20_POLY1305 of RFC 8439, section 2.8, on a header of
 * ../../crypto_stream/_chacha20 that was included before and on a function for the tag:
 *
 *   static void chacha20_poly1305_tag(uint8_t tag[16], const uint8_t key[32],
 *                                     const uint8_t *ad, uint64_t ad_length,
 *                                     const uint8_t *text, uint64_t length);
 *
 * Poly1305 with the one-time key (r, s) over ad, text (each filled up with
 * zeroes to whole blocks) and their lengths, and
 *
 *   CHACHA20_POLY1305_TOGETHER
 *
 * the number of keystream blocks that take no longer than one.
 *
 * With CHACHA20_POLY1305_EXTENDED it is XChaCha20-Poly1305 instead (extended.h).
 *
 * Block 0 of the keystream is the one-time key (its second half is not used),
 * the message takes the blocks from 1 on. */

#include "crypto_aead.h"
#include "verdict.h"

/* The counter has 32 bits and starts at 1. */
#define CHACHA20_POLY1305_MAX (64 * (uint64_t)0xffffffff)

/* The one-time key comes in one pass with the first blocks for the message, as
 * many as cost nothing more. */
static int chacha20_poly1305_seal(uint8_t *packet, const uint8_t *plaintext,
                                  uint64_t length, const uint8_t *ad,
                                  uint64_t ad_length, const uint8_t *nonce,
                                  const uint32_t key[8])
{
    _Alignas(64) uint8_t ahead[64 * CHACHA20_AHEAD];
    uint8_t *text = packet + 16;

    if (length > CHACHA20_POLY1305_MAX) return -1;
    unsigned blocks = chacha20_first(1 + length / 64 + (length % 64 > 0));
    uint64_t n = 64 * (uint64_t)(blocks - 1);
    if (n > length) n = length;

    chacha20_xor(ahead, 0, 64 * (uint64_t)blocks, key, nonce, 0);
    chacha20_apply(text, plaintext, ahead + 64, n);
    if (length > n)
        chacha20_xor(text + n, plaintext + n, length - n, key, nonce,
                     blocks);
    chacha20_poly1305_tag(packet, ahead, ad, ad_length, text, length);
    return 0;
}

/* A forgery costs the time of one block of keystream and of the tag. */
static int chacha20_poly1305_open(uint8_t *plaintext, const uint8_t *packet,
                                  uint64_t packet_length, const uint8_t *ad,
                                  uint64_t ad_length, const uint8_t *nonce,
                                  const uint32_t key[8])
{
    _Alignas(64) uint8_t ahead[64 * CHACHA20_POLY1305_TOGETHER];
    uint8_t tag[16];
    const uint8_t *text = packet + 16;

    if (packet_length < 16 || packet_length - 16 > CHACHA20_POLY1305_MAX)
        return -1;
    uint64_t length = packet_length - 16;
    uint64_t blocks = 1 + length / 64 + (length % 64 > 0);
    if (blocks > CHACHA20_POLY1305_TOGETHER) blocks = CHACHA20_POLY1305_TOGETHER;
    uint64_t n = 64 * (blocks - 1);
    if (n > length) n = length;

    chacha20_xor(ahead, 0, 64 * blocks, key, nonce, 0);
    chacha20_poly1305_tag(tag, ahead, ad, ad_length, text, length);
    if (verdict(((load_le64(tag) ^ load_le64(packet)) | (load_le64(tag + 8) ^ load_le64(packet + 8))) != 0))
        return -1;
    chacha20_apply(plaintext, text, ahead + 64, n);
    if (length > n)
        chacha20_xor(plaintext + n, text + n, length - n, key, nonce,
                     (uint32_t)blocks);
    return 0;
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    chacha20_expandkey(expanded->key, key);
    return 0;
}

#ifdef CHACHA20_POLY1305_EXTENDED
#include "extended.h"
#else
int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    return chacha20_poly1305_seal(packet, plaintext, length, ad, ad_length,
                                  nonce, expanded->key);
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet,
                        uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce,
                        const crypto_aead_key *expanded)
{
    return chacha20_poly1305_open(plaintext, packet, packet_length, ad, ad_length,
                                  nonce, expanded->key);
}
#endif

#endif
