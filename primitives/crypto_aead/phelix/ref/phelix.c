/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* Phelix with a 256-bit key and a 128-bit tag, as its specification reads.
 * A packet is opened in two passes, the first of which writes nothing. */

#include "crypto_aead.h"

#include "../../_phelix/phelix.h"
#include "verdict.h"

typedef struct {
    uint32_t z[5], old[4], x0[8], x1[8];
    uint32_t i;
} phelix;

static void h0(uint32_t *z, uint32_t w)
{
    PHELIX_H0(z[0], z[1], z[2], z[3], z[4], w);
}

static void h1(uint32_t *z, uint32_t w)
{
    PHELIX_H1(z[0], z[1], z[2], z[3], z[4], w);
}

/* A block in two parts, because decryption learns p from the keystream. */
static uint32_t keystream(phelix *s)
{
    h0(s->z, 0);
    h1(s->z, s->x0[s->i % 8]);
    return s->z[4] + s->old[s->i % 4];
}

static void absorb(phelix *s, uint32_t p)
{
    h0(s->z, p);
    h1(s->z, s->x1[s->i % 8] + s->i);
    s->old[s->i % 4] = s->z[4];
    s->i++;
}

static void start(phelix *s, const uint8_t *nonce, const crypto_aead_key *key)
{
    memcpy(s->x0, key->x, sizeof s->x0);
    for (uint32_t j = 0; j < 4; j++) {
        uint32_t n = load_le32(nonce + 4 * j);
        s->x1[j] = s->x0[j + 4] + n;
        s->x1[j + 4] = s->x0[j] + (j - n);
        s->z[j] = s->x0[j + 3] ^ n;
    }
    s->z[4] = s->x0[7];
    s->x1[1] += PHELIX_BUMP;
    s->x1[5] += PHELIX_BUMP;
    for (s->i = 0; s->i < 8;) {
        keystream(s);
        absorb(s, 0);
    }
    s->z[1] ^= PHELIX_AD;
}

static void associate(phelix *s, const uint8_t *ad, uint64_t length)
{
    while (length > 0) {
        uint64_t n = length < 4 ? length : 4;
        uint8_t word[4] = {0};
        memcpy(word, ad, n);
        keystream(s);
        absorb(s, load_le32(word));
        ad += n;
        length -= n;
    }
    s->z[1] ^= PHELIX_AD;
}

/* out may be NULL.  decrypting is 0 or 1. */
static void transform(phelix *s, uint8_t *out, const uint8_t *in, uint64_t length,
                      int decrypting)
{
    while (length > 0) {
        uint64_t n = length < 4 ? length : 4;
        uint8_t word[4] = {0}, pad[4], result[4] = {0};
        store_le32(pad, keystream(s));
        memcpy(word, in, n);
        xor_bytes(result, word, pad, n);
        absorb(s, load_le32(decrypting ? result : word));
        if (out) {
            memcpy(out, result, n);
            out += n;
        }
        in += n;
        length -= n;
    }
}

static void finish(phelix *s, uint8_t *tag, uint64_t length, uint64_t ad_length)
{
    const uint32_t p = length % 4;
    s->z[0] ^= PHELIX_TAG;
    s->z[4] ^= (uint32_t)ad_length;
    s->z[2] ^= (uint32_t)(ad_length >> 32);
    for (int i = 0; i < 12; i++) {
        uint32_t ks = keystream(s);
        absorb(s, p);
        if (i >= 8) store_le32(tag + 4 * (i - 8), ks ^ p);
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
    start(&s, nonce, expanded);
    associate(&s, ad, ad_length);
    transform(&s, packet + 16, plaintext, length, 0);
    finish(&s, packet, length, ad_length);
    return 0;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet,
                        uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce,
                        const crypto_aead_key *expanded)
{
    phelix s, t;
    uint8_t tag[16];
    if (packet_length < 16) return -1;
    start(&s, nonce, expanded);
    associate(&s, ad, ad_length);
    t = s;
    transform(&t, NULL, packet + 16, packet_length - 16, 1);
    finish(&t, tag, packet_length - 16, ad_length);
    if (tags_differ(tag, packet, 16)) return -1;
    transform(&s, plaintext, packet + 16, packet_length - 16, 1);
    return 0;
}
