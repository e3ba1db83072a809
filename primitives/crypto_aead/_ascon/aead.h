/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ASCON_AEAD_H
#define ASCON_AEAD_H

/* Ascon-AEAD128, NIST SP 800-232, section 4, on a permutation
 *
 *   static void ascon_permute(ascon_state *s, int rounds);     8 or 12
 *
 * of ascon_state, five 64-bit words, which a header included before defines,
 * with ASCON_INLINE.  Bytes become words little-endian (appendix A). */

#include "crypto_aead.h"

#include "bytes.h"

#define ASCON_IV 0x00001000808c0001 /* section 4.1.1 */

/* 0 .. 7 bytes as a word, with the one bit that pads them */
ASCON_INLINE uint64_t ascon_load_short(const uint8_t *in, uint64_t length)
{
    uint64_t x = (uint64_t)1 << 8 * length;
    for (uint64_t i = 0; i < length; i++) x ^= (uint64_t)in[i] << 8 * i;
    return x;
}

ASCON_INLINE void ascon_store_short(uint8_t *out, uint64_t x, uint64_t length)
{
    for (uint64_t i = 0; i < length; i++, x >>= 8) out[i] = (uint8_t)x;
}

/* The last block, of 0 .. 15 bytes, padded */
ASCON_INLINE void ascon_load_last(uint64_t x[2], const uint8_t *in, uint64_t length)
{
    if (length >= 8) {
        x[0] = load_le64(in);
        x[1] = ascon_load_short(in + 8, length - 8);
    } else {
        x[0] = ascon_load_short(in, length);
        x[1] = 0;
    }
}

ASCON_INLINE void ascon_store_last(uint8_t *out, const uint64_t x[2], uint64_t length)
{
    if (length >= 8) {
        store_le64(out, x[0]);
        ascon_store_short(out + 8, x[1], length - 8);
    } else {
        ascon_store_short(out, x[0], length);
    }
}

ASCON_INLINE void ascon_start(ascon_state *s, const uint8_t *ad, uint64_t ad_length,
                              const uint8_t *nonce, const crypto_aead_key *k)
{
    uint64_t last[2];
    *s = (ascon_state){{ASCON_IV, k->k[0], k->k[1], load_le64(nonce), load_le64(nonce + 8)}};
    ascon_permute(s, 12);
    s->x[3] ^= k->k[0];
    s->x[4] ^= k->k[1];
    if (ad_length > 0) {
        for (; ad_length >= 16; ad_length -= 16, ad += 16) {
            s->x[0] ^= load_le64(ad);
            s->x[1] ^= load_le64(ad + 8);
            ascon_permute(s, 8);
        }
        ascon_load_last(last, ad, ad_length);
        s->x[0] ^= last[0];
        s->x[1] ^= last[1];
        ascon_permute(s, 8);
    }
    s->x[4] ^= (uint64_t)1 << 63; /* domain separation */
}

ASCON_INLINE void ascon_finish(uint8_t *tag, ascon_state *s, const crypto_aead_key *k)
{
    s->x[2] ^= k->k[0];
    s->x[3] ^= k->k[1];
    ascon_permute(s, 12);
    store_le64(tag, s->x[3] ^ k->k[0]);
    store_le64(tag + 8, s->x[4] ^ k->k[1]);
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    expanded->k[0] = load_le64(key);
    expanded->k[1] = load_le64(key + 8);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    ascon_state s;
    uint8_t *out = packet + 16;
    const uint8_t *in = plaintext;
    uint64_t last[2];

    ascon_start(&s, ad, ad_length, nonce, expanded);
    for (; length >= 16; length -= 16, in += 16, out += 16) {
        s.x[0] ^= load_le64(in);
        s.x[1] ^= load_le64(in + 8);
        store_le64(out, s.x[0]);
        store_le64(out + 8, s.x[1]);
        ascon_permute(&s, 8);
    }
    ascon_load_last(last, in, length);
    s.x[0] ^= last[0];
    s.x[1] ^= last[1];
    ascon_store_last(out, s.x, length);
    ascon_finish(packet, &s, expanded);
    return 0;
}

static int unseal(uint8_t *tag, uint8_t *out, uint64_t advance, const uint8_t *in,
                  uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const crypto_aead_key *expanded)
{
    ascon_state s;
    uint64_t last[2], plain[2];

    ascon_start(&s, ad, ad_length, nonce, expanded);
    for (; length >= 16; length -= 16, in += 16, out += 16 & advance) {
        uint64_t c0 = load_le64(in), c1 = load_le64(in + 8);
        store_le64(out, s.x[0] ^ c0);
        store_le64(out + 8, s.x[1] ^ c1);
        s.x[0] = c0;
        s.x[1] = c1;
        ascon_permute(&s, 8);
    }
    ascon_load_last(last, in, length);
    plain[0] = s.x[0] ^ last[0];
    plain[1] = s.x[1] ^ last[1];
    ascon_store_last(out, plain, length);
    ascon_load_last(plain, out, length);
    s.x[0] ^= plain[0];
    s.x[1] ^= plain[1];
    ascon_finish(tag, &s, expanded);
    return 0;
}

#include "../_open/open.h"

#endif
