/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* DICING P2 with 256-bit key and IV, by key-dependent tables.  Ideas: the tables
 * T1, T2, T3 are rotations of T0, so one table holds each word of T0 twice and is
 * read at byte offsets 0 to 3: half the expanded key of four tables, and no
 * rotation.  The key setup goes over the linear maps by doubling.  The registers
 * that clock the others advance four blocks at a time (_dicing/steer.h). */

#include "crypto_stream.h"

#include "../../_dicing/key.h"
#include "../../_dicing/steer.h"

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    dicing_maps maps;
    uint32_t line[256]; /* T0 as a function of w instead of v */
    dicing_mapskey(&maps, key);
    for (int i = 0; i < 8; i++) expanded->k[i] = load_le32(key + 4 * i);
    line[0] = maps.c * 0x01010001u;
    for (int k = 0; k < 8; k++) {
        uint32_t a = maps.w[k], b = maps.y[k];
        uint32_t x = a * 0x01010001u ^ b * 0x01000100u;
        for (int i = 0; i < 1 << k; i++) line[(1 << k) + i] = line[i] ^ x;
    }
    for (int v = 0; v < 256; v++) {
        uint32_t t = line[dicing_sbox[v ^ maps.c1] ^ maps.c1 ^ 0xff];
        store_le64(expanded->t[v], (uint64_t)t << 32 | t);
    }
}

#define T(i, x) load_le32(key->t[(x) & 255] + (i))

#define INLINE static inline __attribute__((always_inline))

/* 64-bit indices keep gcc 12 from holding them in AVX-512 mask registers, the
 * empty statement keeps compilers from building vectors of single words. */
INLINE uint32_t mix(const crypto_stream_key *key, uint64_t v0, uint64_t v1,
                    uint64_t v2, uint64_t v3)
{
    uint32_t x = T(0, v0) ^ T(1, v1), y = T(2, v2) ^ T(3, v3);
    __asm__("" : "+r"(x));
    return x ^ y;
}

/* The map G of the IV setup: u from the bytes of u. */
INLINE void map(uint32_t *u, const crypto_stream_key *key)
{
    uint32_t v[8];
    for (int i = 0; i < 4; i++) {
        int s = 8 * i;
        v[2 * i] = mix(key, u[0] >> s, u[1] >> s, u[2] >> s, u[3] >> s);
        v[2 * i + 1] = mix(key, u[4] >> s, u[5] >> s, u[6] >> s, u[7] >> s);
    }
    memcpy(u, v, sizeof v);
}

INLINE void turn(uint32_t *u, const crypto_stream_key *key)
{
    const uint32_t *k = key->k;
    for (int i = 0; i < 8; i++) u[i] ^= load_le32(dicing_c + 4 * i);
    map(u, key);
    for (int i = 0; i < 8; i++) u[i] ^= k[i];
    map(u, key);
    for (int i = 0; i < 8; i++) u[i] ^= ~k[i ^ 4];
    map(u, key);
}

INLINE void halves(uint64_t *a, const uint32_t *u)
{
    a[0] = u[0] | (uint64_t)u[1] << 32;
    a[1] = u[2] | (uint64_t)u[3] << 32;
}

/* One block of keystream, clocked by d. */
INLINE void generate(crypto_stream_state *s, uint8_t *out, unsigned d)
{
    const crypto_stream_key *key = s->key;
    unsigned n1 = 1 + (d & 15), n2 = 1 + (d >> 4);
    uint64_t o1 = s->b1[1] >> (64 - n1), z1 = o1 ^ o1 << 3;
    uint64_t o2 = s->b2[1] >> (64 - n2), z2 = o2 ^ o2 << 5 ^ o2 << 7;
    uint32_t c[4];
    s->b1[1] = (s->b1[1] << n1 | s->b1[0] >> (64 - n1)) ^ z1 << 3 ^ z1 << 32;
    s->b1[0] = s->b1[0] << n1 ^ z1 ^ z1 << 32;
    s->b2[1] = (s->b2[1] << n2 | s->b2[0] >> (64 - n2)) ^ z2 ^ z2 << 32;
    s->b2[0] = s->b2[0] << n2 ^ z2 ^ z2 << 37;
    for (int i = 0; i < 2; i++) {
        s->p[i] ^= s->b1[i];
        s->q[i] ^= s->b2[i];
    }
    for (int i = 0; i < 4; i++) {
        uint32_t p = (uint32_t)(s->p[i / 2] >> 32 * (i % 2));
        uint32_t q = (uint32_t)(s->q[i / 2] >> 32 * (i % 2));
        c[i] = mix(key, p, p >> 8, p >> 16, (uint64_t)p >> 24) ^ q;
    }
    for (int i = 0; i < 4; i++) {
        int e = 8 * i;
        uint32_t x = mix(key, c[0] >> e, c[1] >> e, c[2] >> e, c[3] >> e);
        store_le32(out + 4 * i, x ^ s->h[i]);
    }
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    crypto_stream_state *s = state;
    uint32_t u[8], d;
    (void)soon;
    s->key = expanded;
    for (int i = 0; i < 8; i++) u[i] = load_le32(nonce + 4 * i);
    turn(u, expanded);
    for (int i = 0; i < 4; i++) s->h[i] = u[i] ^ u[4 + i];
    turn(u, expanded);
    halves(s->p, u);
    halves(s->q, u + 4);
    turn(u, expanded);
    halves(s->a1, u);
    halves(s->a2, u + 4);
    s->a1[1] &= UINT64_MAX >> 1;
    s->a2[1] &= UINT64_MAX >> 2;
    turn(u, expanded);
    halves(s->b1, u);
    halves(s->b2, u + 4);
    if ((s->b1[0] | s->b1[1] | s->b2[0] | s->b2[1]) == 0) {
        halves(s->b1, expanded->k);
        halves(s->b2, expanded->k + 4);
    }
    d = dicing_steer(s->a1, s->a2);
    generate(s, first, d >> 24);
    s->d = d << 8;
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    crypto_stream_state s = *state; /* which out cannot point to */
    uint8_t block[16];
    for (unsigned i = 1; length > 0; i++) {
        uint64_t n = length < 16 ? length : 16;
        if (i % 4 == 0) s.d = dicing_steer(s.a1, s.a2);
        generate(&s, block, s.d >> 24);
        s.d <<= 8;
        if (n == 16) {
            store_le64(out, load_le64(in) ^ load_le64(block));
            store_le64(out + 8, load_le64(in + 8) ^ load_le64(block + 8));
        } else {
            xor_bytes(out, in, block, n);
        }
        out += n;
        in += n;
        length -= n;
    }
}
