/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GCM_SIV_AEAD_H
#define GCM_SIV_AEAD_H

/* AES-GCM-SIV as RFC 8452 writes it, on POLYVAL and counter mode
 * (polyval_ref.h, polyval_clmul.h) and AES for modes.  MODE_KEY_WORDS is 4 or 8. */

#include "crypto_aead.h"

#include <string.h>

enum { SIV_KEYBYTES = 4 * MODE_KEY_WORDS, SIV_STEP = 512 };

/* Section 6: both at most 2^36 bytes */
static inline int siv_lengths_allowed(uint64_t length, uint64_t ad_length)
{
    return length <= (uint64_t)1 << 36 && ad_length <= (uint64_t)1 << 36;
}

/* Section 4: the keys of this nonce are halves of enciphered blocks. */
static void siv_derive(siv_polyval *p, uint8_t *w, uint64_t blocks, const uint8_t *nonce,
                       const crypto_aead_key *expanded)
{
    uint8_t in[16], out[16], keys[16 + SIV_KEYBYTES];
    memcpy(in + 4, nonce, 12);
    for (unsigned i = 0; i < sizeof keys / 8; i++) {
        store_le32(in, i);
        mode_encipher(out, in, expanded->w);
        memcpy(keys + 8 * i, out, 8);
    }
    siv_polyval_start(p, keys, blocks);
    mode_expandkey(w, keys + 16);
}

/* Filled up with zeros to whole blocks */
static void siv_polyval_padded(siv_polyval *p, const uint8_t *in, uint64_t length)
{
    uint8_t last[16] = {0};
    siv_polyval_blocks(p, in, length / 16);
    if (length % 16 > 0) {
        memcpy(last, in + length / 16 * 16, length % 16);
        siv_polyval_blocks(p, last, 1);
    }
}

static void siv_tag(uint8_t *tag, siv_polyval *p, uint64_t length, uint64_t ad_length,
                    const uint8_t *nonce, const uint8_t *w)
{
    uint8_t block[16];
    store_le64(block, 8 * ad_length);
    store_le64(block + 8, 8 * length);
    siv_polyval_blocks(p, block, 1);
    siv_polyval_result(block, p);
    xor_bytes(block, block, nonce, 12);
    block[15] &= 0x7f;
    mode_encipher(tag, block, w);
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    mode_expandkey(expanded->w, key);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t w[sizeof expanded->w], tag[16], counter[16];
    siv_polyval p;
    if (!siv_lengths_allowed(length, ad_length)) return -1;
    siv_derive(&p, w, (length > ad_length ? length : ad_length) / 16, nonce, expanded);
    siv_polyval_padded(&p, ad, ad_length);
    siv_polyval_padded(&p, plaintext, length);
    siv_tag(tag, &p, length, ad_length, nonce, w);
    memcpy(counter, tag, 16);
    counter[15] |= 0x80;
    siv_ctr(packet + 16, plaintext, length, counter, w);
    memcpy(packet, tag, 16);
    return 0;
}

/* The nonce that decrypts is the tag that the packet has: 16 bytes before in. */
static int unseal(uint8_t *tag, uint8_t *out, uint64_t advance, const uint8_t *in,
                  uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t w[sizeof expanded->w], counter[16];
    const uint64_t all = length;
    siv_polyval p;
    if (!siv_lengths_allowed(length, ad_length)) return -1;
    siv_derive(&p, w, (length > ad_length ? length : ad_length) / 16, nonce, expanded);
    siv_polyval_padded(&p, ad, ad_length);
    memcpy(counter, in - 16, 16);
    counter[15] |= 0x80;
    while (length > 0) {
        const uint64_t n = length < SIV_STEP ? length : SIV_STEP;
        siv_ctr(out, in, n, counter, w);
        siv_polyval_padded(&p, out, n);
        in += n;
        out += n & advance;
        length -= n;
    }
    siv_tag(tag, &p, all, ad_length, nonce, w);
    return 0;
}

#include "../_open/open.h"

#endif
