/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* NLS version 1 with its MAC, as its specification reads: associated data and
 * plaintext are one string of bytes.  A packet is opened in two passes, the
 * first of which writes nothing. */

#include "crypto_aead.h"

#include "../../../crypto_stream/_nls/mac.h"
#include "../../../crypto_stream/_nls/nls.h"
#include "verdict.h"

typedef struct {
    nls_register s;
    uint32_t m[8], crc[8];
    uint8_t pad[4], word[4]; /* keystream and plaintext of the present word */
    int filled;              /* bytes of it */
} nls;

static void start(nls *n, const uint8_t *nonce, const crypto_aead_key *key)
{
    memcpy(n->s.r, key->r, sizeof n->s.r);
    n->s.konst = key->konst;
    nls_loadnonce(&n->s, nonce);
    memcpy(n->m, n->s.r, sizeof n->m);
    memcpy(n->crc, n->s.r + 8, sizeof n->crc);
    n->filled = 0;
}

static void crc(nls *n, uint32_t p)
{
    uint32_t *c = n->crc;
    uint32_t t = (c[0] << 8) ^ nls_multab[c[0] >> 24] ^ c[5] ^ p;
    memmove(c, c + 1, 7 * sizeof *c);
    c[7] = t;
}

static void sha(nls *n, uint32_t p)
{
    uint32_t *m = n->m;
    uint32_t t = m[7] + n->s.r[8] + p;
    t ^= nls_sbox[t >> 24];
    t += nls_sum1(m[4]) + nls_ch(m[4], m[5], m[6]);
    m[3] += t;
    t += nls_sum0(m[0]) + nls_maj(m[0], m[1], m[2]);
    memmove(m + 1, m, 7 * sizeof *m);
    m[0] = t;
}

static void macword(nls *n)
{
    crc(n, load_le32(n->word));
    sha(n, load_le32(n->word));
    n->filled = 0;
}

/* The keystream byte for the next byte of the string. */
static uint8_t keystream(nls *n)
{
    if (n->filled == 0) {
        nls_cycle(&n->s);
        store_le32(n->pad, nls_tap(&n->s));
    }
    return n->pad[n->filled];
}

static void absorb(nls *n, uint8_t p)
{
    n->word[n->filled++] = p;
    if (n->filled == 4) macword(n);
}

static void associate(nls *n, const uint8_t *ad, uint64_t length)
{
    for (uint64_t i = 0; i < length; i++) {
        keystream(n);
        absorb(n, ad[i]);
    }
}

/* out may be NULL.  decrypting is 0 or 1. */
static void transform(nls *n, uint8_t *out, const uint8_t *in, uint64_t length,
                      int decrypting)
{
    for (uint64_t i = 0; i < length; i++) {
        uint8_t a = in[i], b = a ^ keystream(n);
        absorb(n, decrypting ? b : a);
        if (out) out[i] = b;
    }
}

static void finish(nls *n, uint8_t *tag)
{
    uint32_t u = 0;
    if (n->filled) {
        u = 8 * (4 - (uint32_t)n->filled);
        while (n->filled < 4) n->word[n->filled++] = 0;
        macword(n);
    }
    nls_cycle(&n->s);
    sha(n, NLS_KONST + (u << 24));
    for (int i = 0; i < 12; i++) {
        nls_cycle(&n->s);
        crc(n, 0);
        sha(n, n->crc[7]);
        if (i >= 8) store_le32(tag + 4 * (i - 8), n->m[0]);
    }
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    nls_register s;
    nls_expandkey(&s, key);
    memcpy(expanded->r, s.r, sizeof s.r);
    expanded->konst = s.konst;
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    nls n;
    start(&n, nonce, expanded);
    associate(&n, ad, ad_length);
    transform(&n, packet + 16, plaintext, length, 0);
    finish(&n, packet);
    return 0;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet,
                        uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce,
                        const crypto_aead_key *expanded)
{
    nls n, again;
    uint8_t tag[16];
    if (packet_length < 16) return -1;
    start(&n, nonce, expanded);
    associate(&n, ad, ad_length);
    again = n;
    transform(&n, NULL, packet + 16, packet_length - 16, 1);
    finish(&n, tag);
    if (tags_differ(tag, packet, 16)) return -1;
    transform(&again, plaintext, packet + 16, packet_length - 16, 1);
    return 0;
}
