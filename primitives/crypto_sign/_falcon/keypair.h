/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_KEYPAIR_H
#define FALCON_KEYPAIR_H

/* Algorithms 4 and 5, Keygen and NTRUGen.  A candidate that fails a test is thrown
 * away, and the next one is drawn independently: which test it failed is public. */

#include "ntru.h"
#include "sign.h"

/* 2^63 times the probability that |x| is more than i, x normal over the integers with
 * the deviation 1.17 sqrt(q / 2048), rounded. The sum of two is as it must be for N = 512. */
static const uint64_t more_than[26] = {
    0x6e2ec827d20d54a8, 0x4ca71379d0d44e74, 0x30b8137bd96bccf6, 0x1c1d82b0c61fb6dc,
    0x0ea8f1a2e8a80d59, 0x06e14e41d01bf047, 0x02e5be00e3fc0fb8, 0x0117a1a6bd470418,
    0x005e30bf367966c1, 0x001c4dea0bd5921b, 0x000794225cd14a1f, 0x0001ce69617df12b,
    0x00006205f2debafa, 0x00001278063f6c50, 0x00000317547af83c, 0x00000075990f1ddb,
    0x0000000f82c483bf, 0x00000001d0af3998, 0x00000000303c51dc, 0x000000000470aea1,
    0x00000000005cc4d1, 0x000000000006b625, 0x0000000000006e2c, 0x0000000000000643,
    0x0000000000000051, 0x0000000000000004,
};

static int32_t small_normal(struct generator *g)
{
    uint8_t bytes[8];
    uint64_t u;
    int32_t x = 0, sign;
    generate(g, bytes, sizeof bytes);
    u = load_be64(bytes);
    sign = -(int32_t)(u >> 63);
    u &= UINT64_MAX >> 1;
    for (unsigned i = 0; i < 26; i++) x += (int32_t)((u - more_than[i]) >> 63);
    return (x ^ sign) - sign;
}

/* With an odd number of odd coefficients, as the numbers at the last depth must be odd. */
static void draw_polynomial(struct generator *g, int32_t a[N])
{
    int32_t sum;
    do {
        sum = 0;
        for (unsigned i = 0; i < N; i++) {
            a[i] = small_normal(g);
            for (unsigned j = 1; j < 1024 / N; j++) a[i] += small_normal(g);
            sum += a[i];
        }
        sum &= 1;
        crypto_declassify(&sum, sizeof sum);
    } while (!sum);
}

/* |(g, -f)|^2 and |(q f* , q g*) / (f f* + g g*)|^2 are at most 1.17^2 q, and the encoding has room. */
static int too_long(struct ntru *w)
{
    const int32_t most = (1 << (SMALL_BITS - 1)) - 1;
    uint32_t wrong = 0, sum = 0;
    double dual = 0;
    for (unsigned i = 0; i < N; i++) {
        wrong |= (uint32_t)(most + w->f[i]) | (uint32_t)(most - w->f[i]);
        wrong |= (uint32_t)(most + w->g[i]) | (uint32_t)(most - w->g[i]);
        sum += (uint32_t)(w->f[i] * w->f[i] + w->g[i] * w->g[i]);
        w->a[i] = w->f[i], w->b[i] = w->g[i];
    }
    fft(w->a, N);
    fft(w->b, N);
    for (unsigned i = 0; i < N / 2; i++) {
        const struct complex x = value(w->a, N, i), y = value(w->b, N, i);
        dual += 1 / (x.re * x.re + x.im * x.im + y.re * y.re + y.im * y.im);
    }
    wrong >>= 31;
    wrong |= (16822 - sum) >> 31; /* 1.17^2 q = 16822.4121 */
    wrong |= !(dual * ((double)Q * Q * 2 / N) <= 16822.4121);
    return (int)wrong;
}

/* h = g/f; whether there is none. */
static int public_of(uint16_t h[N], const struct ntru *w)
{
    uint16_t f[N];
    for (unsigned i = 0; i < N; i++) f[i] = to_q(w->f[i]), h[i] = to_q(w->g[i]);
    ntt(f), ntt(h);
    const int wrong = divide(h, h, f);
    ntt_inverse(h);
    return wrong;
}

static void narrow(int8_t out[N], const int32_t a[N])
{
    for (unsigned i = 0; i < N; i++) out[i] = (int8_t)a[i];
}

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    struct generator g;
    struct ntru w;
    uint8_t seed[SEED];
    uint16_t h[N];
    int8_t small[N];
    randombytes(seed, sizeof seed);
    generator_start(&g, seed);
    do {
        draw_polynomial(&g, w.f);
        draw_polynomial(&g, w.g);
    } while (verdict(too_long(&w)) || verdict(public_of(h, &w)) || verdict(ntru_solve(&w)));
    encode_public(pk, h);
    *sk++ = 0x50 + LOGN;
    narrow(small, w.f);
    sk = encode_small(sk, small, SMALL_BITS);
    narrow(small, w.g);
    sk = encode_small(sk, small, SMALL_BITS);
    narrow(small, w.F);
    encode_small(sk, small, 8);
    return 0;
}

#endif
