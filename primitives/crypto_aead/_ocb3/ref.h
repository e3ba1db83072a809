/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef OCB3_REF_H
#define OCB3_REF_H

/* AES in OCB3 mode as RFC 7253 writes it, with a 96-bit nonce and a 128-bit tag.
 * OCB3_KEY_WORDS is 4, 6 or 8. */

#include "crypto_aead.h"

#include "../../crypto_blockcipher/_aes/ref.h"
#include "bytes.h"

enum { OCB3_ROUNDS = OCB3_KEY_WORDS + 6 };

static void ocb3_encipher(uint8_t *block, const crypto_aead_key *k)
{
    aes_encrypt_any(block, block, k->w, OCB3_ROUNDS);
}

static void ocb3_add(uint8_t *x, const uint8_t *y)
{
    xor_bytes(x, x, y, 16);
}

/* double(S), section 2 */
static void ocb3_double(uint8_t *x)
{
    const uint64_t hi = load_be64(x), lo = load_be64(x + 8);
    store_be64(x, hi << 1 | lo >> 63);
    store_be64(x + 8, lo << 1 ^ (135 & ((uint64_t)0 - (hi >> 63))));
}

/* Offset ^= L_{ntz(i)}: L_* doubled ntz(i) + 2 times */
static void ocb3_next_offset(uint8_t *offset, uint64_t i, const crypto_aead_key *k)
{
    uint8_t L[16];
    memcpy(L, k->L_star, 16);
    ocb3_double(L);
    ocb3_double(L);
    for (; i % 2 == 0; i /= 2) ocb3_double(L);
    ocb3_add(offset, L);
}

/* HASH(K, A), section 4.1, added to sum */
static void ocb3_hash(uint8_t *sum, const uint8_t *ad, uint64_t ad_length, const crypto_aead_key *k)
{
    uint8_t offset[16] = {0}, block[16];
    for (uint64_t i = 1; ad_length >= 16; i++, ad += 16, ad_length -= 16) {
        ocb3_next_offset(offset, i, k);
        memcpy(block, offset, 16);
        ocb3_add(block, ad);
        ocb3_encipher(block, k);
        ocb3_add(sum, block);
    }
    if (ad_length > 0) {
        memcpy(block, k->L_star, 16);
        ocb3_add(block, offset);
        xor_bytes(block, block, ad, ad_length);
        block[ad_length] ^= 0x80;
        ocb3_encipher(block, k);
        ocb3_add(sum, block);
    }
}

/* Nonce-dependent and per-encryption variables, section 4.2 */
static void ocb3_first_offset(uint8_t *offset, const uint8_t *nonce, const crypto_aead_key *k)
{
    uint8_t block[16] = {0, 0, 0, 1}, stretch[24];
    memcpy(block + 4, nonce, 12);
    const unsigned bottom = block[15] & 63;
    block[15] &= 0xc0;
    ocb3_encipher(block, k);
    memcpy(stretch, block, 16);
    for (int i = 0; i < 8; i++) stretch[16 + i] = block[i] ^ block[i + 1];
    for (unsigned i = 0; i < 16; i++) {
        const unsigned two = (unsigned)stretch[i + bottom / 8] << 8 | stretch[i + bottom / 8 + 1];
        offset[i] = (uint8_t)(two >> (8 - bottom % 8));
    }
}

/* Both directions, sections 4.2 and 4.3; the tag in both */
static int ocb3_crypt(uint8_t *tag, uint8_t *out, uint64_t advance, const uint8_t *in,
                      uint64_t length, const uint8_t *ad, uint64_t ad_length,
                      const uint8_t *nonce, const crypto_aead_key *k, int decrypt)
{
    uint8_t offset[16], checksum[16] = {0}, block[16], L_dollar[16];
    ocb3_first_offset(offset, nonce, k);
    for (uint64_t i = 1; length >= 16; i++, length -= 16, in += 16, out += 16 & advance) {
        ocb3_next_offset(offset, i, k);
        memcpy(block, in, 16);
        if (!decrypt) ocb3_add(checksum, block);
        ocb3_add(block, offset);
        if (decrypt) aes_decrypt_any(block, block, k->w, OCB3_ROUNDS);
        else ocb3_encipher(block, k);
        ocb3_add(block, offset);
        if (decrypt) ocb3_add(checksum, block);
        memcpy(out, block, 16);
    }
    if (length > 0) {
        ocb3_add(offset, k->L_star);
        memcpy(block, offset, 16);
        ocb3_encipher(block, k);
        if (!decrypt) xor_bytes(checksum, checksum, in, length);
        xor_bytes(out, in, block, length);
        if (decrypt) xor_bytes(checksum, checksum, out, length);
        checksum[length] ^= 0x80;
    }
    memcpy(L_dollar, k->L_star, 16);
    ocb3_double(L_dollar);
    ocb3_add(checksum, offset);
    ocb3_add(checksum, L_dollar);
    ocb3_encipher(checksum, k);
    ocb3_hash(checksum, ad, ad_length, k);
    memcpy(tag, checksum, 16);
    return 0;
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    aes_expandkey_any(expanded->w, key, OCB3_KEY_WORDS);
    memset(expanded->L_star, 0, 16);
    ocb3_encipher(expanded->L_star, expanded);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    return ocb3_crypt(packet, packet + 16, ~(uint64_t)0, plaintext, length, ad, ad_length, nonce,
                      expanded, 0);
}

static int unseal(uint8_t *tag, uint8_t *out, uint64_t advance, const uint8_t *in,
                  uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const crypto_aead_key *expanded)
{
    return ocb3_crypt(tag, out, advance, in, length, ad, ad_length, nonce, expanded, 1);
}

#include "../_open/open.h"

#endif
