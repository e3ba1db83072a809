/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GRAIN_AEAD_H
#define GRAIN_AEAD_H

/* Grain-128a with authentication (GRAIN_AEADV2 0) and Grain-128AEADv2 (1), 64
 * bits of the message at a time: the even bits of two outputs encrypt them, the
 * odd bits go on with the sequence R whose windows are the register r.  For bit
 * i of the message the accumulator gets R[i], R[i+1], ...; for 64 of them that
 * is a piece of a product of polynomials over GF(2), of the reversed message
 * and 128 bits of R.  A header included before defines
 *
 *   GRAIN_INLINE void grain_unzip(uint64_t *even, uint64_t *odd, uint64_t y0, y1)
 *   GRAIN_INLINE uint64_t grain_product(uint64_t m, uint64_t lo, uint64_t hi)
 *
 * the latter as bits 63 .. 126 of m * (lo, hi), where bit 63 of m is the first
 * bit of the message. */

#include "crypto_aead.h"

#include "bytes.h"

typedef struct {
    grain_registers g;
    uint64_t a, r;
} grain_state;

/* The bits of each byte the other way round */
GRAIN_INLINE uint64_t grain_flip(uint64_t x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    return (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
}

/* Bytes, read little-endian, to bits in the order of the cipher, and back:
 * Grain-128a starts with the most significant bit of a byte. */
GRAIN_INLINE uint64_t grain_order(uint64_t x)
{
    return GRAIN_AEADV2 ? x : grain_flip(x);
}

static void grain_start(grain_state *t, const uint8_t *key, const uint8_t *nonce)
{
    const uint64_t k0 = grain_order(load_le64(key)), k1 = grain_order(load_le64(key + 8));
    const uint64_t n1 = grain_order(load_le32(nonce + 8)) | (uint64_t)0x7fffffff << 32;
    grain_registers g = {{grain_order(load_le64(nonce)), n1}, {k0, k1}};
    uint64_t y[2];

    for (int i = 0; i < (GRAIN_AEADV2 ? 320 : 256); i += 64) grain_mix(&g, 0, 0);
    if (GRAIN_AEADV2) {
        grain_mix(&g, k1, k0);
        grain_next(y, 2, &g);
    } else {
        grain_next(y, 1, &g);
        y[1] = y[0] >> 32;
        y[0] &= 0xffffffff;
    }
    *t = (grain_state){g, y[0], y[1]};
}

/* 64 bits of the message, the first one least significant, and of R */
GRAIN_INLINE void grain_authenticate(grain_state *t, uint64_t message, uint64_t more)
{
    /* Of the flipped bytes, the first is to be the most significant. */
    const uint64_t m = __builtin_bswap64(grain_flip(message));
    if (GRAIN_AEADV2) {
        t->a ^= grain_product(m, t->r, more);
        t->r = more;
    } else {
        t->a ^= grain_product(m, t->r | more << 32, more >> 32);
        t->r = more >> 32;
    }
}

/* The keystream for n times 8 bytes, and as much of R; 2 n <= GRAIN_MANY */
GRAIN_INLINE void grain_pairs(uint64_t *z, uint64_t *more, unsigned n, grain_state *t)
{
    uint64_t y[GRAIN_MANY];
    grain_next(y, 2 * n, &t->g);
    for (unsigned i = 0; i < n; i++) grain_unzip(z + i, more + i, y[2 * i], y[2 * i + 1]);
}

/* The last 0 .. 7 bytes, in `message` already in order; then a one bit. */
GRAIN_INLINE void grain_end(uint8_t *tag, grain_state *t, uint64_t message, uint64_t length,
                            uint64_t more)
{
    grain_authenticate(t, message | (uint64_t)1 << 8 * length, more);
    const uint64_t a = grain_order(t->a);
    for (int i = 0; i < crypto_aead_TAGBYTES; i++) tag[i] = (uint8_t)(a >> 8 * i);
}

/* Associated data, its length as DER before it; *filled bytes that do not make 8
 * are left in `rest`, for the plaintext to go on with. */
static void grain_associated_data(grain_state *t, const uint8_t *ad, uint64_t ad_length,
                                  uint8_t *rest, unsigned *filled)
{
    uint64_t z, more;
    unsigned n = 0, bytes = 1;
    uint8_t der[9];
    if (ad_length < 128) {
        der[n++] = (uint8_t)ad_length;
    } else {
        while (bytes < 8 && ad_length >> (8 * bytes)) bytes++;
        der[n++] = (uint8_t)(0x80 | bytes);
        while (bytes-- > 0) der[n++] = (uint8_t)(ad_length >> (8 * bytes));
    }
    memcpy(rest, der, n < 8 ? n : 8);
    if (n >= 8) { /* an AD of 2^48 bytes or more */
        grain_pairs(&z, &more, 1, t);
        grain_authenticate(t, load_le64(rest), more);
        rest[0] = der[8];
        n -= 8;
    }
    while (n + ad_length >= 8) {
        memcpy(rest + n, ad, 8 - n);
        ad += 8 - n;
        ad_length -= 8 - n;
        n = 0;
        grain_pairs(&z, &more, 1, t);
        grain_authenticate(t, load_le64(rest), more);
    }
    if (ad_length > 0) memcpy(rest + n, ad, ad_length);
    *filled = n + (unsigned)ad_length;
}

/* out = in ^ z for the bytes of a word from `from` on, at most `length` of them;
 * message = the plaintext among what is in `rest` before.  Gives how many. */
GRAIN_INLINE unsigned grain_short(uint8_t *out, const uint8_t *in, uint64_t length, uint64_t z,
                                  uint8_t *rest, unsigned from, int decrypt)
{
    const unsigned n = length < 8 - from ? (unsigned)length : 8 - from;
    z = grain_order(z) >> 8 * from;
    for (unsigned i = 0; i < n; i++, z >>= 8) {
        const uint8_t x = in[i], y = (uint8_t)(x ^ z);
        out[i] = y;
        rest[from + i] = decrypt ? y : x;
    }
    return n;
}

GRAIN_INLINE void grain_words(uint8_t *out, const uint8_t *in, unsigned n, grain_state *t,
                              int decrypt)
{
    uint64_t z[GRAIN_MANY / 2], more[GRAIN_MANY / 2];
    grain_pairs(z, more, n, t);
    for (unsigned i = 0; i < n; i++) {
        const uint64_t x = load_le64(in + 8 * i), y = x ^ grain_order(z[i]);
        store_le64(out + 8 * i, y);
        grain_authenticate(t, grain_order(decrypt ? y : x), more[i]);
    }
}

/* Everything but the key: the tag of both directions */
GRAIN_INLINE int grain_crypt(uint8_t *tag, uint8_t *out, uint64_t advance, const uint8_t *in,
                             uint64_t length, const uint8_t *ad, uint64_t ad_length,
                             const uint8_t *nonce, const crypto_aead_key *expanded, int decrypt)
{
    enum { MOST = 4 * GRAIN_MANY };
    uint8_t rest[8] = {0};
    unsigned filled = 0, n;
    uint64_t z, more;
    grain_state t;

    if (!GRAIN_AEADV2 && ad_length > 0) return -1;
    grain_start(&t, expanded->key, nonce);
    if (GRAIN_AEADV2) grain_associated_data(&t, ad, ad_length, rest, &filled);
    while (filled > 0 && filled + length >= 8) {
        grain_pairs(&z, &more, 1, &t);
        n = grain_short(out, in, length, z, rest, filled, decrypt);
        grain_authenticate(&t, grain_order(load_le64(rest)), more);
        in += n;
        out += n & advance;
        length -= n;
        filled = 0;
    }
    for (; length >= MOST; length -= MOST, in += MOST, out += MOST & advance)
        grain_words(out, in, MOST / 8, &t, decrypt);
    for (; length >= 8; length -= 8, in += 8, out += 8 & advance) grain_words(out, in, 1, &t, decrypt);
    if (filled == 0) memset(rest, 0, 8);
    else memset(rest + filled, 0, 8 - filled);
    grain_pairs(&z, &more, 1, &t);
    n = grain_short(out, in, length, z, rest, filled, decrypt);
    grain_end(tag, &t, grain_order(load_le64(rest)), filled + n, more);
    return 0;
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, sizeof expanded->key);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    return grain_crypt(packet, packet + crypto_aead_TAGBYTES, ~(uint64_t)0, plaintext, length, ad,
                       ad_length, nonce, expanded, 0);
}

static int unseal(uint8_t *tag, uint8_t *out, uint64_t advance, const uint8_t *in,
                  uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const crypto_aead_key *expanded)
{
    return grain_crypt(tag, out, advance, in, length, ad, ad_length, nonce, expanded, 1);
}

#include "../_open/open.h"

#endif
