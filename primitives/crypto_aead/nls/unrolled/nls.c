/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* NLS version 1 with its MAC.  Idea: register and CRC are windows over two
 * growing sequences of words (cycle n appends w[n + 17], word n of the string
 * c[n + 8]), so nothing moves until the windows are full; the eight words of the
 * hash are variables that change names, which costs nothing in a loop unrolled
 * eight times.  Key and nonce setup are those of _nls/unrolled.h.
 *
 * Opening: a packet of at most SCRATCH bytes is decrypted once, into a buffer
 * on the stack that is copied when the tag is right; a longer one is read twice,
 * the first time writing nothing, the second time without the MAC. */

#include "crypto_aead.h"

#include "../../../crypto_stream/_nls/mac.h"
#include "../../../crypto_stream/_nls/unrolled.h"
#include "verdict.h"

#define SCRATCH 8192
#define WINDOW 64 /* words appended before the windows are moved back */

#define INLINE static inline __attribute__((always_inline))

typedef struct {
    uint32_t a, b, c, d, e, f, g, h;
} nls_hash;

typedef struct {
    uint32_t w[17 + WINDOW], c[8 + WINDOW];
    uint32_t konst;
    uint32_t used;   /* words of the windows */
    uint64_t cycles; /* since the nonce */
    nls_hash m;
} nls;

enum {
    ENCRYPT, /* out = in ^ keystream, in is plaintext */
    DECRYPT, /* out = in ^ keystream, which is plaintext */
    VERIFY,  /* as DECRYPT, without output */
    ABSORB,  /* in is associated data: no output */
    SECOND   /* as DECRYPT, without MAC */
};

static void start(nls *n, const uint8_t *nonce, const crypto_aead_key *key)
{
    uint32_t r[17];
    const uint32_t konst = key->konst;
    memcpy(r, key->r, sizeof r);
    NLS_LOAD(NLS_REST, nonce);
    for (int i = 0; i < 17; i++) n->w[i] = NLS_R(NLS_REST + 21, i);
    memcpy(n->c, n->w + 8, 8 * sizeof *n->c);
    n->m = (nls_hash){n->w[0], n->w[1], n->w[2], n->w[3],
                      n->w[4], n->w[5], n->w[6], n->w[7]};
    n->konst = konst;
    n->used = 0;
    n->cycles = 0;
}

INLINE void cycle(uint32_t *w, uint32_t konst)
{
    uint32_t t = rotl32(w[15], 9) + (rotl32(w[0], 19) + konst);
    uint32_t u = t ^ w[4];
    w[17] = nls_sbox[(uint64_t)t >> 24] ^ u;
}

/* The following see the register after the cycle: R[i] is w[i + 1]. */
INLINE uint32_t tap(const uint32_t *w, uint32_t konst)
{
    return (w[1] + w[17]) ^ (w[2] + konst) ^ (w[7] + w[14]);
}

INLINE uint32_t crc(uint32_t *c, uint32_t p)
{
    return c[8] = (c[0] << 8) ^ nls_multab[(uint64_t)c[0] >> 24] ^ c[5] ^ p;
}

INLINE void sha(nls_hash *m, const uint32_t *w, uint32_t p)
{
    uint32_t t = m->h + w[9] + p;
    t ^= nls_sbox[(uint64_t)t >> 24];
    t += nls_ch(m->e, m->f, m->g) + nls_sum1(m->e);
    m->h = m->g;
    m->g = m->f;
    m->f = m->e;
    m->e = m->d + t;
    t += nls_maj(m->a, m->b, m->c) + nls_sum0(m->a);
    m->d = m->c;
    m->c = m->b;
    m->b = m->a;
    m->a = t;
}

/* One word of the string, of which `mask` are message bits; in, and what it
 * gives, are as loaded and stored. */
INLINE uint32_t word(nls_hash *m, uint32_t *w, uint32_t *c, uint32_t konst,
                     uint32_t in, uint32_t mask, int mode)
{
    uint32_t out, p;
    cycle(w, konst);
    out = mode == ABSORB ? in : in ^ (tap(w, konst) & mask);
    if (mode == SECOND) return out;
    p = mode == ENCRYPT ? in : out;
    crc(c, p);
    sha(m, w, p);
    return out;
}

INLINE void words(nls_hash *m, uint32_t *w, uint32_t *c, uint32_t konst,
                  uint8_t *out, const uint8_t *in, uint32_t count, int mode)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = word(m, w + i, c + i, konst, load_le32(in + 4 * i),
                          0xffffffff, mode);
        if (mode != VERIFY && mode != ABSORB) store_le32(out + 4 * i, x);
    }
}

/* Makes room in the windows for at least one word, keeps cycle NLS_WRAP at the
 * end of a stretch; returns how many of `wanted` words may follow. */
INLINE uint32_t stretch(nls *n, uint64_t wanted)
{
    uint64_t most = WINDOW - n->used;
    if (most == 0) {
        memcpy(n->w, n->w + WINDOW, 17 * sizeof *n->w);
        memcpy(n->c, n->c + WINDOW, 8 * sizeof *n->c);
        n->used = 0;
        most = WINDOW;
    }
    if (n->cycles < NLS_WRAP && NLS_WRAP - n->cycles < most)
        most = NLS_WRAP - n->cycles;
    return (uint32_t)(wanted < most ? wanted : most);
}

INLINE void advance(nls *n, uint32_t count)
{
    n->used += count;
    n->cycles += count;
    if (n->cycles == NLS_WRAP && count > 0) n->w[n->used + 2] += NLS_WRAP;
}

/* Whole words of the string; length is a multiple of 4. */
INLINE void run(nls *n, uint8_t *out, const uint8_t *in, uint64_t length,
                int mode)
{
    nls_hash m = n->m;
    while (length > 0) {
        uint32_t count = stretch(n, length / 4), whole = count & ~7u;
        uint32_t *w = n->w + n->used, *c = n->c + n->used, i;
        for (i = 0; i < whole; i += 8) {
#pragma GCC unroll 8
            for (uint32_t j = 0; j < 8; j++) {
                uint32_t x = word(&m, w + i + j, c + i + j, n->konst,
                                  load_le32(in + 4 * j), 0xffffffff, mode);
                if (mode != VERIFY && mode != ABSORB)
                    store_le32(out + 4 * j, x);
            }
            in += 32;
            if (mode != VERIFY && mode != ABSORB) out += 32;
        }
        words(&m, w + i, c + i, n->konst, out, in, count - whole, mode);
        in += 4 * (count - whole);
        if (mode != VERIFY && mode != ABSORB) out += 4 * (count - whole);
        advance(n, count);
        length -= 4 * (uint64_t)count;
    }
    n->m = m;
}

/* A word of which bytes from..to - 1 are message, those before associated data
 * and those after nothing. */
static void part(nls *n, uint8_t *out, const uint8_t *in, const uint8_t *ad,
                 uint32_t from, uint32_t to, int mode)
{
    uint8_t bytes[4] = {0}, mask[4] = {0};
    uint32_t one = stretch(n, 1), x;
    if (from > 0) memcpy(bytes, ad, from);
    if (to > from) memcpy(bytes + from, in, to - from);
    for (uint32_t i = from; i < to; i++) mask[i] = 0xff;
    x = word(&n->m, n->w + n->used, n->c + n->used, n->konst, load_le32(bytes),
             load_le32(mask), mode == ENCRYPT ? ENCRYPT : DECRYPT);
    advance(n, one);
    store_le32(bytes, x);
    if (mode != VERIFY && to > from) memcpy(out, bytes + from, to - from);
}

/* Associated data and message. */
INLINE void string(nls *n, uint8_t *out, const uint8_t *in, uint64_t length,
                   const uint8_t *ad, uint64_t ad_length, int mode)
{
    const uint32_t from = ad_length % 4;
    uint64_t whole;
    if (ad_length >= 4) run(n, NULL, ad, ad_length - from, ABSORB);
    if (from > 0) {
        uint32_t to = length < 4 - from ? from + (uint32_t)length : 4;
        part(n, out, in, ad + ad_length - from, from, to, mode);
        if (to == from) return;
        in += to - from;
        if (mode != VERIFY) out += to - from;
        length -= to - from;
    }
    whole = length & ~(uint64_t)3;
    run(n, out, in, whole, mode);
    if (length > whole)
        part(n, mode == VERIFY ? NULL : out + whole, in + whole, NULL, 0,
             (uint32_t)(length - whole), mode);
}

/* total: the bytes of associated data and message, modulo 4 at least. */
INLINE void finish(nls *n, uint8_t *tag, uint64_t total)
{
    uint32_t u = 8 * ((0 - (uint32_t)total) % 4);
    uint32_t v[17 + 13], c[8 + 12], wrap = 0;
    nls_hash m = n->m;
    memcpy(v, n->w + n->used, 17 * sizeof *v);
    memcpy(c, n->c + n->used, 8 * sizeof *c);
    if (n->cycles < NLS_WRAP && NLS_WRAP - n->cycles <= 13)
        wrap = (uint32_t)(NLS_WRAP - n->cycles);
    cycle(v, n->konst);
    if (wrap == 1) v[wrap + 2] += NLS_WRAP;
    sha(&m, v, NLS_KONST + (u << 24));
    for (uint32_t i = 0; i < 12; i++) {
        cycle(v + 1 + i, n->konst);
        if (wrap == i + 2) v[wrap + 2] += NLS_WRAP;
        sha(&m, v + 1 + i, crc(c + i, 0));
        if (i >= 8) store_le32(tag + 4 * (i - 8), m.a);
    }
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    expanded->konst = nls_expandkey(expanded->r, key);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    nls n;
    start(&n, nonce, expanded);
    string(&n, packet + 16, plaintext, length, ad, ad_length, ENCRYPT);
    finish(&n, packet, length + ad_length);
    return 0;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet,
                        uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce,
                        const crypto_aead_key *expanded)
{
    uint64_t length;
    const uint8_t *in;
    uint8_t tag[16], scratch[SCRATCH];
    nls n;
    if (packet_length < 16) return -1;
    length = packet_length - 16;
    in = packet + 16;
    start(&n, nonce, expanded);
    if (length <= SCRATCH) {
        string(&n, scratch, in, length, ad, ad_length, DECRYPT);
        finish(&n, tag, length + ad_length);
        if (tags_differ(tag, packet, 16)) return -1;
        if (length > 0) memcpy(plaintext, scratch, length);
        return 0;
    }
    string(&n, NULL, in, length, ad, ad_length, VERIFY);
    finish(&n, tag, length + ad_length);
    if (tags_differ(tag, packet, 16)) return -1;
    start(&n, nonce, expanded);
    string(&n, plaintext, in, length, ad, ad_length, SECOND);
    return 0;
}
