# SPDX-License-Identifier: MIT OR Apache-2.0
"""ChaCha20-Poly1305 with the API of SUPERCOP and NIST, as its users write it: the packet ends with its tag."""

API = """
#define CRYPTO_KEYBYTES 32
#define CRYPTO_NSECBYTES 0
#define CRYPTO_NPUBBYTES 12
#define CRYPTO_ABYTES 16
"""

STREAM_API = """
#define CRYPTO_KEYBYTES 32
#define CRYPTO_NONCEBYTES 12
"""

CHACHA20 = """
#include "api.h"
#include <stdint.h>
#include <string.h>
typedef unsigned long long u64;

static uint32_t load(const unsigned char *x)
{
    return x[0] | x[1] << 8 | x[2] << 16 | (uint32_t)x[3] << 24;
}

static void store(unsigned char *x, uint32_t w)
{
    for (int i = 0; i < 4; i++) x[i] = (unsigned char)(w >> 8 * i);
}

static void add_xor_rotate(uint32_t *a, uint32_t b, uint32_t *c, int n)
{
    *a += b;
    *c ^= *a;
    *c = *c << n | *c >> (32 - n);
}

static void quarter(uint32_t x[16], int a, int b, int c, int d)
{
    add_xor_rotate(x + a, x[b], x + d, 16);
    add_xor_rotate(x + c, x[d], x + b, 12);
    add_xor_rotate(x + a, x[b], x + d, 8);
    add_xor_rotate(x + c, x[d], x + b, 7);
}

static void block(unsigned char *out, const unsigned char *k, const unsigned char *n, uint32_t counter)
{
    uint32_t x[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, y[16];
    for (int i = 0; i < 8; i++) x[4 + i] = load(k + 4 * i);
    x[12] = counter;
    for (int i = 0; i < 3; i++) x[13 + i] = load(n + 4 * i);
    memcpy(y, x, sizeof y);
    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 4; j++) quarter(y, j, 4 + j, 8 + j, 12 + j);
        for (int j = 0; j < 4; j++) quarter(y, j, 4 + (j + 1) % 4, 8 + (j + 2) % 4, 12 + (j + 3) % 4);
    }
    for (int i = 0; i < 16; i++) store(out + 4 * i, x[i] + y[i]);
}

static void chacha20(unsigned char *c, const unsigned char *m, u64 length, const unsigned char *n,
                     const unsigned char *k, uint32_t counter)
{
    unsigned char b[64];
    for (u64 i = 0; i < length; i++) {
        if (i % 64 == 0) block(b, k, n, counter++);
        c[i] = (m ? m[i] : 0) ^ b[i % 64];
    }
}
"""

AEAD = (
    CHACHA20
    + """
struct poly1305 {
    uint32_t r[5], h[5];
};

/* h = (h + 16 bytes + 2^128) r mod 2^130 - 5, in limbs of 26 bits. */
static void absorb(struct poly1305 *p, const unsigned char *x, u64 length)
{
    for (; length; length -= length < 16 ? length : 16, x += 16) {
        unsigned char b[16] = {0};
        uint64_t d[5] = {0}, carry = 0;
        memcpy(b, x, length < 16 ? length : 16);
        for (int i = 0; i < 4; i++) p->h[i] += load(b + 3 * i) >> 2 * i & 0x3ffffff;
        p->h[4] += load(b + 12) >> 8 | 1 << 24;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++) d[i] += (uint64_t)p->h[j] * (j <= i ? p->r[i - j] : 5 * p->r[i - j + 5]);
        for (int i = 0; i < 5; i++) {
            d[i] += carry;
            carry = d[i] >> 26;
            p->h[i] = d[i] & 0x3ffffff;
        }
        carry = p->h[0] + 5 * carry;
        p->h[0] = carry & 0x3ffffff;
        p->h[1] += (uint32_t)(carry >> 26);
    }
}

static void finish(struct poly1305 *p, unsigned char *tag, const unsigned char *pad)
{
    uint32_t *h = p->h, g[5], carry = 0;
    uint64_t sum = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 5; i++) {
            h[i] += carry;
            carry = h[i] >> 26;
            h[i] &= 0x3ffffff;
        }
        carry *= 5;
    }
    h[0] += carry;
    carry = 5;
    for (int i = 0; i < 5; i++) {
        g[i] = h[i] + carry;
        carry = g[i] >> 26;
        g[i] &= 0x3ffffff;
    }
    if (REDUCES && carry) memcpy(h, g, sizeof g);
    for (int i = 0; i < 4; i++, sum >>= 32) {
        sum += (uint64_t)(h[i] >> 6 * i | h[i + 1] << (26 - 6 * i)) + load(pad + 4 * i);
        store(tag + 4 * i, (uint32_t)sum);
    }
}

static void authenticate(unsigned char *tag, const unsigned char *c, u64 clen, const unsigned char *ad, u64 adlen,
                         const unsigned char *n, const unsigned char *k)
{
    unsigned char b[64], lengths[16];
    struct poly1305 p = {{0}, {0}};
    block(b, k, n, 0);
    for (int i = 3; i < 16; i += 4) b[i] &= 15;
    for (int i = 4; i < 16; i += 4) b[i] &= 252;
    for (int i = 0; i < 4; i++) p.r[i] = load(b + 3 * i) >> 2 * i & 0x3ffffff;
    p.r[4] = load(b + 12) >> 8;
    absorb(&p, ad, adlen);
    absorb(&p, c, clen);
    for (int i = 0; i < 8; i++) lengths[i] = (unsigned char)(adlen >> 8 * i);
    for (int i = 0; i < 8; i++) lengths[8 + i] = (unsigned char)(clen >> 8 * i);
    absorb(&p, lengths, 16);
    finish(&p, tag, b + 16);
}

int crypto_aead_encrypt(unsigned char *c, u64 *clen, const unsigned char *m, u64 mlen, const unsigned char *ad,
                        u64 adlen, const unsigned char *nsec, const unsigned char *npub, const unsigned char *k)
{
    (void)nsec;
    chacha20(c, m, mlen, npub, k, 1);
    authenticate(c + mlen, c, mlen, ad, adlen, npub, k);
    *clen = mlen + 16;
    return 0;
}

int crypto_aead_decrypt(unsigned char *m, u64 *mlen, unsigned char *nsec, const unsigned char *c, u64 clen,
                        const unsigned char *ad, u64 adlen, const unsigned char *npub, const unsigned char *k)
{
    unsigned char tag[16], difference = 0;
    (void)nsec;
    if (clen < 16) return -1;
    authenticate(tag, c, clen - 16, ad, adlen, npub, k);
    for (int i = 0; i < 16; i++) difference |= tag[i] ^ c[clen - 16 + i];
    if (difference) return -1;
    chacha20(m, c, clen - 16, npub, k, 1);
    *mlen = clen - 16;
    return 0;
}
"""
)
RIGHT = AEAD.replace("REDUCES", "1")
WITHOUT_THE_LAST_REDUCTION = AEAD.replace("REDUCES", "0")

STREAM_THAT_DIFFERS = (
    CHACHA20
    + """
int crypto_stream(unsigned char *out, u64 length, const unsigned char *n, const unsigned char *k)
{
    chacha20(out, NULL, length, n, k, 0);
    if (length == 333) out[0] ^= 1;
    return 0;
}

int crypto_stream_xor(unsigned char *out, const unsigned char *in, u64 length, const unsigned char *n,
                      const unsigned char *k)
{
    chacha20(out, in, length, n, k, 0);
    return 0;
}
"""
)
