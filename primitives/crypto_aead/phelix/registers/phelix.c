/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* Phelix with a 256-bit key and a 128-bit tag.  Idea: each half-block waits for
 * the one before (Phelix paper, section on performance), so all that counts is
 * what stands on that path: the five words live in registers from nonce to tag,
 * and key words, old words and counter are fetched beside the path, by index.
 * (Unrolled eight times, with constant indices, it is no faster.)
 *
 * Opening: a packet of at most SCRATCH bytes is decrypted once, into a buffer
 * on the stack that is copied when the tag is right; a longer one is read twice,
 * the first time writing nothing. */

#include "crypto_aead.h"

#include "../../_phelix/phelix.h"
#include "verdict.h"

#define SCRATCH 8192

#define INLINE static inline __attribute__((always_inline))

typedef struct {
    uint32_t z0, z1, z2, z3, z4;
    uint32_t i;
} phelix;

typedef struct {
    uint32_t old[4], x0[8], x1[8];
} phelix_words;

INLINE uint32_t keystream(phelix *s, const phelix_words *t)
{
    PHELIX_H0(s->z0, s->z1, s->z2, s->z3, s->z4, 0);
    PHELIX_H1(s->z0, s->z1, s->z2, s->z3, s->z4, t->x0[s->i % 8]);
    return s->z4 + t->old[s->i % 4];
}

INLINE void absorb(phelix *s, phelix_words *t, uint32_t p)
{
    uint32_t w = t->x1[s->i % 8] + s->i;
    PHELIX_H0(s->z0, s->z1, s->z2, s->z3, s->z4, p);
    PHELIX_H1(s->z0, s->z1, s->z2, s->z3, s->z4, w);
    t->old[s->i % 4] = s->z4;
    s->i++;
}

INLINE void start(phelix *s, phelix_words *t, const uint8_t *nonce,
                  const uint32_t *x)
{
    uint32_t n[4];
    memcpy(t->x0, x, sizeof t->x0);
    for (uint32_t j = 0; j < 4; j++) {
        n[j] = load_le32(nonce + 4 * j);
        t->x1[j] = x[j + 4] + n[j];
        t->x1[j + 4] = x[j] + (j - n[j]);
    }
    t->x1[1] += PHELIX_BUMP;
    t->x1[5] += PHELIX_BUMP;
    s->z0 = x[3] ^ n[0];
    s->z1 = x[4] ^ n[1];
    s->z2 = x[5] ^ n[2];
    s->z3 = x[6] ^ n[3];
    s->z4 = x[7];
    s->i = 0;
    for (int j = 0; j < 8; j++) {
        PHELIX_H0(s->z0, s->z1, s->z2, s->z3, s->z4, 0);
        PHELIX_H1(s->z0, s->z1, s->z2, s->z3, s->z4, t->x0[j]);
        absorb(s, t, 0);
    }
    s->z1 ^= PHELIX_AD;
}

INLINE uint32_t load_part(const uint8_t *p, uint64_t n)
{
    uint8_t word[4] = {0};
    memcpy(word, p, n);
    return load_le32(word);
}

INLINE void associate(phelix *s, phelix_words *t, const uint8_t *ad,
                      uint64_t length)
{
    for (; length >= 4; ad += 4, length -= 4) {
        keystream(s, t);
        absorb(s, t, load_le32(ad));
    }
    if (length > 0) {
        keystream(s, t);
        absorb(s, t, load_part(ad, length));
    }
    s->z1 ^= PHELIX_AD;
}

enum { ENCRYPT, DECRYPT, VERIFY }; /* VERIFY: as DECRYPT, without output */

INLINE void transform(phelix *s, phelix_words *t, uint8_t *out,
                      const uint8_t *in, uint64_t length, int mode)
{
    for (; length >= 4; in += 4, length -= 4) {
        uint32_t a = load_le32(in), b = keystream(s, t) ^ a;
        absorb(s, t, mode == ENCRYPT ? a : b);
        if (mode != VERIFY) {
            store_le32(out, b);
            out += 4;
        }
    }
    if (length > 0) {
        uint32_t mask = 0xffffffffu >> (32 - 8 * length);
        uint32_t a = load_part(in, length), b = (keystream(s, t) & mask) ^ a;
        uint8_t word[4];
        absorb(s, t, mode == ENCRYPT ? a : b);
        store_le32(word, b);
        if (mode != VERIFY) memcpy(out, word, length);
    }
}

INLINE void finish(phelix *s, phelix_words *t, uint8_t *tag, uint64_t length,
                   uint64_t ad_length)
{
    const uint32_t p = length % 4;
    s->z0 ^= PHELIX_TAG;
    s->z4 ^= (uint32_t)ad_length;
    s->z2 ^= (uint32_t)(ad_length >> 32);
    for (int i = 0; i < 8; i++) {
        keystream(s, t);
        absorb(s, t, p);
    }
    for (int i = 0; i < 4; i++) {
        store_le32(tag + 4 * i, keystream(s, t) ^ p);
        absorb(s, t, p);
    }
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    phelix_expandkey(expanded->x, key);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    phelix s;
    phelix_words t;
    start(&s, &t, nonce, expanded->x);
    associate(&s, &t, ad, ad_length);
    transform(&s, &t, packet + 16, plaintext, length, ENCRYPT);
    finish(&s, &t, packet, length, ad_length);
    return 0;
}

/* The tag of a packet; out is NULL to write nothing. */
INLINE void open(uint8_t *tag, uint8_t *out, const uint8_t *in, uint64_t length,
                 const uint8_t *ad, uint64_t ad_length, const uint8_t *nonce,
                 const crypto_aead_key *expanded, int mode)
{
    phelix s;
    phelix_words t;
    start(&s, &t, nonce, expanded->x);
    associate(&s, &t, ad, ad_length);
    transform(&s, &t, out, in, length, mode);
    finish(&s, &t, tag, length, ad_length);
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet,
                        uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce,
                        const crypto_aead_key *expanded)
{
    uint64_t length;
    const uint8_t *in;
    uint8_t tag[16], scratch[SCRATCH];
    if (packet_length < 16) return -1;
    length = packet_length - 16;
    in = packet + 16;
    if (length <= SCRATCH) {
        open(tag, scratch, in, length, ad, ad_length, nonce, expanded, DECRYPT);
        if (tags_differ(tag, packet, 16)) return -1;
        if (length > 0) memcpy(plaintext, scratch, length);
        return 0;
    }
    open(tag, NULL, in, length, ad, ad_length, nonce, expanded, VERIFY);
    if (tags_differ(tag, packet, 16)) return -1;
    open(tag, plaintext, in, length, ad, ad_length, nonce, expanded, DECRYPT);
    return 0;
}
