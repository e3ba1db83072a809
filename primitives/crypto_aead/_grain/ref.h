/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GRAIN_AEAD_REF_H
#define GRAIN_AEAD_REF_H

/* Grain-128a with authentication, and Grain-128AEADv2, bit by bit, with the
 * specifications' numbers for the register bits.  GRAIN_AEADV2 is 0 or 1:
 *
 *                     Grain-128a      Grain-128AEADv2
 *   bits of a byte    first = most    first = least significant
 *   tag               32 bits         64 bits
 *   initialisation    256 clocks      320 clocks, 64 more with the key
 *   associated data   none            before the plaintext, after its length
 *
 * After the initialisation the output y fills the accumulator a and the
 * register r; then outputs come in pairs, of which the even one encrypts a bit
 * and the odd one is shifted into r.  A one bit of the message adds r to a. */

#include "crypto_aead.h"

#include <string.h>

enum { GRAIN_TAG_BITS = 8 * crypto_aead_TAGBYTES };

typedef struct {
    uint8_t b[129], s[129];
    uint8_t a[GRAIN_TAG_BITS], r[GRAIN_TAG_BITS];
} grain_state;

static uint8_t grain_get(const uint8_t *bytes, uint64_t i)
{
    return bytes[i / 8] >> (GRAIN_AEADV2 ? i % 8 : 7 - i % 8) & 1;
}

static void grain_set(uint8_t *bytes, uint64_t i, uint8_t bit)
{
    const unsigned place = (unsigned)(GRAIN_AEADV2 ? i % 8 : 7 - i % 8);
    bytes[i / 8] = (uint8_t)((bytes[i / 8] & ~(1u << place)) | (unsigned)bit << place);
}

static uint8_t grain_output(const grain_state *g)
{
    const uint8_t *b = g->b, *s = g->s;
    uint8_t h = (b[12] & s[8]) ^ (s[13] & s[20]) ^ (b[95] & s[42]) ^ (s[60] & s[79]) ^
                (b[12] & b[95] & s[94]);
    return h ^ s[93] ^ b[2] ^ b[15] ^ b[36] ^ b[45] ^ b[64] ^ b[73] ^ b[89];
}

/* One clock; more_b and more_s are added to the feedbacks. */
static void grain_clock(grain_state *g, uint8_t more_b, uint8_t more_s)
{
    uint8_t *b = g->b, *s = g->s;
    s[128] = s[0] ^ s[7] ^ s[38] ^ s[70] ^ s[81] ^ s[96] ^ more_s;
    b[128] = s[0] ^ b[0] ^ b[26] ^ b[56] ^ b[91] ^ b[96] ^ (b[3] & b[67]) ^ (b[11] & b[13]) ^
             (b[17] & b[18]) ^ (b[27] & b[59]) ^ (b[40] & b[48]) ^ (b[61] & b[65]) ^
             (b[68] & b[84]) ^ (b[88] & b[92] & b[93] & b[95]) ^ (b[22] & b[24] & b[25]) ^
             (b[70] & b[78] & b[82]) ^ more_b;
    memmove(b, b + 1, 128);
    memmove(s, s + 1, 128);
}

static uint8_t grain_next(grain_state *g)
{
    const uint8_t y = grain_output(g);
    grain_clock(g, 0, 0);
    return y;
}

static void grain_start(grain_state *g, const uint8_t *key, const uint8_t *nonce)
{
    memset(g, 0, sizeof *g);
    for (int i = 0; i < 128; i++) {
        g->b[i] = grain_get(key, (uint64_t)i);
        g->s[i] = i < 96 ? grain_get(nonce, (uint64_t)i) : i < 127;
    }
    for (int i = 0; i < (GRAIN_AEADV2 ? 320 : 256); i++) {
        const uint8_t y = grain_output(g);
        grain_clock(g, y, y);
    }
    for (unsigned i = 0; GRAIN_AEADV2 && i < 64; i++) {
        const uint8_t y = grain_output(g);
        grain_clock(g, y ^ grain_get(key, i), y ^ grain_get(key, 64 + i));
    }
    for (int i = 0; i < GRAIN_TAG_BITS; i++) g->a[i] = grain_next(g);
    for (int i = 0; i < GRAIN_TAG_BITS; i++) g->r[i] = grain_next(g);
}

static void grain_accumulate(grain_state *g, uint8_t bit)
{
    for (int i = 0; i < GRAIN_TAG_BITS; i++) g->a[i] ^= bit & g->r[i];
}

/* A bit of what is authenticated, and the odd output */
static void grain_authenticate(grain_state *g, uint8_t bit)
{
    grain_accumulate(g, bit);
    memmove(g->r, g->r + 1, GRAIN_TAG_BITS - 1);
    g->r[GRAIN_TAG_BITS - 1] = grain_next(g);
}

static void grain_authenticate_bytes(grain_state *g, const uint8_t *in, uint64_t length)
{
    for (uint64_t i = 0; i < 8 * length; i++) {
        (void)grain_next(g);
        grain_authenticate(g, grain_get(in, i));
    }
}

/* The length of the associated data as DER encodes it: one byte, or the number
 * of the bytes that follow, most significant first. */
static void grain_associated_data(grain_state *g, const uint8_t *ad, uint64_t ad_length)
{
    uint8_t der[9];
    uint64_t n = 0;
    if (ad_length < 128) {
        der[n++] = (uint8_t)ad_length;
    } else {
        int bytes = 1;
        while (bytes < 8 && ad_length >> (8 * bytes)) bytes++;
        der[n++] = (uint8_t)(0x80 | bytes);
        while (bytes-- > 0) der[n++] = (uint8_t)(ad_length >> (8 * bytes));
    }
    grain_authenticate_bytes(g, der, n);
    grain_authenticate_bytes(g, ad, ad_length);
}

static void grain_tag(uint8_t *tag, grain_state *g)
{
    grain_accumulate(g, 1);
    for (int i = 0; i < GRAIN_TAG_BITS; i++) grain_set(tag, (uint64_t)i, g->a[i]);
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, 16);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    grain_state g;
    if (!GRAIN_AEADV2 && ad_length > 0) return -1;
    grain_start(&g, expanded->key, nonce);
    if (GRAIN_AEADV2) grain_associated_data(&g, ad, ad_length);
    for (uint64_t i = 0; i < 8 * length; i++) {
        const uint8_t bit = grain_get(plaintext, i), z = grain_next(&g);
        grain_set(packet + crypto_aead_TAGBYTES, i, bit ^ z);
        grain_authenticate(&g, bit);
    }
    grain_tag(packet, &g);
    return 0;
}

static int unseal(uint8_t *tag, uint8_t *out, uint64_t advance, const uint8_t *in,
                  uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const crypto_aead_key *expanded)
{
    grain_state g;
    if (!GRAIN_AEADV2 && ad_length > 0) return -1;
    grain_start(&g, expanded->key, nonce);
    if (GRAIN_AEADV2) grain_associated_data(&g, ad, ad_length);
    for (uint64_t i = 0; i < 8 * length; i++) {
        const uint8_t z = grain_next(&g), bit = grain_get(in, i) ^ z;
        grain_set(out, i & (advance | 7), bit);
        grain_authenticate(&g, bit);
    }
    grain_tag(tag, &g);
    return 0;
}

#include "../_open/open.h"

#endif
