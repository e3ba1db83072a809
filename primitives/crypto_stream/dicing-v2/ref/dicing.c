/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* DICING P2 with 256-bit key and IV, as its specification reads. */

#include "crypto_stream.h"

#include "../../_dicing/key.h"

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    dicing_maps maps;
    dicing_mapskey(&maps, key);
    for (int i = 0; i < 8; i++) expanded->k[i] = load_le32(key + 4 * i);
    for (int v = 0; v < 256; v++) {
        uint8_t w = dicing_sbox[v ^ maps.c1] ^ maps.c1 ^ 0xff;
        uint32_t a = dicing_apply(maps.w, w), b = dicing_apply(maps.y, w);
        uint32_t c = maps.c;
        uint32_t t = (a ^ c) | b << 8 | (a ^ c) << 16 | (a ^ b ^ c) << 24;
        expanded->t[0][v] = t;
        expanded->t[1][v] = rotr32(t, 8);
        expanded->t[2][v] = rotr32(t, 16);
        expanded->t[3][v] = rotr32(t, 24);
    }
}

static uint32_t mix(const crypto_stream_key *key, uint32_t v0, uint32_t v1,
                    uint32_t v2, uint32_t v3)
{
    return key->t[0][v0 & 255] ^ key->t[1][v1 & 255] ^ key->t[2][v2 & 255] ^
           key->t[3][v3 & 255];
}

/* The map G of the IV setup, then the exclusive or with x. */
static void map(uint32_t *u, const uint8_t *v, const uint32_t *x,
                const crypto_stream_key *key)
{
    for (int i = 0; i < 4; i++) {
        u[2 * i] = mix(key, v[i], v[i + 4], v[i + 8], v[i + 12]);
        u[2 * i + 1] = mix(key, v[i + 16], v[i + 20], v[i + 24], v[i + 28]);
    }
    for (int i = 0; i < 8; i++) u[i] ^= x[i];
}

static void bytes(uint8_t *v, const uint32_t *u)
{
    for (int i = 0; i < 8; i++) store_le32(v + 4 * i, u[i]);
}

static void halves(uint64_t *a, const uint32_t *u)
{
    a[0] = u[0] | (uint64_t)u[1] << 32;
    a[1] = u[2] | (uint64_t)u[3] << 32;
}

static void setup(crypto_stream_state *s, const uint8_t *nonce)
{
    static const uint32_t zero[8];
    const crypto_stream_key *key = s->key;
    uint32_t u[8], x[8];
    uint8_t v[32];
    for (int i = 0; i < 4; i++) {
        x[i] = ~key->k[4 + i];
        x[4 + i] = ~key->k[i];
    }
    for (int t = 0; t < 4; t++) {
        if (t == 0)
            memcpy(v, nonce, sizeof v);
        else
            bytes(v, u);
        for (int i = 0; i < 32; i++) v[i] ^= dicing_c[i];
        map(u, v, key->k, key);
        bytes(v, u);
        map(u, v, x, key);
        bytes(v, u);
        map(u, v, zero, key);
        if (t == 0) {
            for (int i = 0; i < 4; i++) s->h[i] = u[i] ^ u[4 + i];
        } else if (t == 1) {
            memcpy(s->p, u, sizeof s->p);
            memcpy(s->q, u + 4, sizeof s->q);
        } else if (t == 2) {
            halves(s->a1, u);
            halves(s->a2, u + 4);
        } else {
            halves(s->b1, u);
            halves(s->b2, u + 4);
        }
    }
    s->a1[1] &= UINT64_MAX >> 1;
    s->a2[1] &= UINT64_MAX >> 2;
    if ((s->b1[0] | s->b1[1] | s->b2[0] | s->b2[1]) == 0) {
        halves(s->b1, key->k);
        halves(s->b2, key->k + 4);
    }
}

static void shift(uint64_t *a, unsigned n) /* 0 < n < 64 */
{
    a[1] = a[1] << n | a[0] >> (64 - n);
    a[0] <<= n;
}

/* a1 * X^8 mod X^127 + (1 + X^3)(1 + X^41 + X^89); returns what goes out. */
static uint64_t step_a1(uint64_t *a)
{
    uint64_t o = a[1] >> 55, z = o ^ o << 3;
    shift(a, 8);
    a[1] &= UINT64_MAX >> 1;
    a[0] ^= z ^ z << 41;
    a[1] ^= z << (89 - 64);
    return o;
}

/* a2 * X^8 mod X^126 + (1 + X^7)(1 + X^35 + X^83) */
static uint64_t step_a2(uint64_t *a)
{
    uint64_t o = a[1] >> 54, z = o ^ o << 7;
    shift(a, 8);
    a[1] &= UINT64_MAX >> 2;
    a[0] ^= z ^ z << 35;
    a[1] ^= z << (83 - 64);
    return o;
}

/* b1 * X^n mod X^128 + (1 + X^3)(1 + X^32 + X^67 + X^96) */
static void step_b1(uint64_t *b, unsigned n)
{
    uint64_t o = b[1] >> (64 - n), z = o ^ o << 3;
    shift(b, n);
    b[0] ^= z ^ z << 32;
    b[1] ^= z << (67 - 64) ^ z << (96 - 64);
}

/* b2 * X^n mod X^128 + (1 + X^5 + X^7)(1 + X^37 + X^64 + X^96) */
static void step_b2(uint64_t *b, unsigned n)
{
    uint64_t o = b[1] >> (64 - n), z = o ^ o << 5 ^ o << 7;
    shift(b, n);
    b[0] ^= z ^ z << 37;
    b[1] ^= z ^ z << (96 - 64);
}

static void generate(crypto_stream_state *s, uint8_t *out)
{
    uint32_t c[4];
    unsigned d = (unsigned)(step_a1(s->a1) ^ step_a2(s->a2));
    step_b1(s->b1, 1 + (d & 15));
    step_b2(s->b2, 1 + (d >> 4));
    for (int i = 0; i < 4; i++) {
        s->p[i] ^= (uint32_t)(s->b1[i / 2] >> 32 * (i % 2));
        s->q[i] ^= (uint32_t)(s->b2[i / 2] >> 32 * (i % 2));
    }
    for (int j = 0; j < 4; j++) {
        uint32_t x = s->p[j];
        c[j] = mix(s->key, x, x >> 8, x >> 16, x >> 24) ^ s->q[j];
    }
    for (int i = 0; i < 4; i++) {
        uint32_t x = mix(s->key, c[0] >> 8 * i, c[1] >> 8 * i, c[2] >> 8 * i,
                         c[3] >> 8 * i);
        store_le32(out + 4 * i, x ^ s->h[i]);
    }
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    (void)soon;
    state->key = expanded;
    setup(state, nonce);
    generate(state, first);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint8_t block[16];
    while (length > 0) {
        uint64_t n = length < 16 ? length : 16;
        generate(state, block);
        xor_bytes(out, in, block, n);
        out += n;
        in += n;
        length -= n;
    }
}
